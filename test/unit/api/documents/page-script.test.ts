import { expect, it } from 'vitest';
import { PAGE_SCRIPT } from '../../../../src/api/documents/page-style.ts';

/** As much of an element as the search touches. */
class FakeElement {
  hidden = false;
  value = '';
  nextElementSibling: FakeElement | null = null;
  readonly dataset: { words?: string } = {};
  readonly classList = { toggle: () => undefined };
  readonly children: FakeElement[] = [];
  readonly #listeners: Array<() => void> = [];

  readonly tagName: string;
  readonly textContent: string;
  readonly hash: string;

  constructor(tagName: string, textContent = '', hash = '') {
    this.tagName = tagName;
    this.textContent = textContent;
    this.hash = hash;
  }

  querySelectorAll(): FakeElement[] {
    return this.children.flatMap((child) => [
      ...(child.tagName === 'LI' ? [child] : []),
      ...child.querySelectorAll(),
    ]);
  }

  querySelector(selector: string): FakeElement | undefined {
    if (selector === 'a') return this.children.find(({ tagName }) => tagName === 'A');
    return this.querySelectorAll().find(({ hidden }) => !hidden);
  }

  setAttribute(): void {}

  addEventListener(_type: string, listener: () => void): void {
    this.#listeners.push(listener);
  }

  prepend(element: FakeElement): void {
    this.children.unshift(element);
  }

  enter(text: string): void {
    this.value = text;
    for (const listener of this.#listeners) listener();
  }
}

/** A page of headings, each with the text below it, and of contents: an entry, and another within it. */
function openPage() {
  const headings = ['H2', 'P', 'H3', 'P', 'H2', 'P'].map(
    (tag, index) => new FakeElement(tag, `text-${index}`),
  );
  for (const [index, heading] of headings.entries()) {
    heading.nextElementSibling = headings[index + 1] ?? null;
  }
  const entries = [0, 2, 4].map((index) => {
    const entry = new FakeElement('LI');
    entry.children.push(new FakeElement('A', `title-${index}`, `#${index}`));
    return entry;
  });
  const [first, within, last] = entries as [FakeElement, FakeElement, FakeElement];
  first.children.push(within);
  last.dataset.words = 'Jambonz';
  const nav = new FakeElement('NAV');
  nav.children.push(first, last);
  const document = {
    querySelector: () => nav,
    querySelectorAll: () => [],
    getElementById: (id: string) => headings[Number(id)],
    createElement: (tag: string) => new FakeElement(tag),
  };
  new Function('document', PAGE_SCRIPT)(document);
  const [search] = nav.children as [FakeElement];
  return (text: string) => {
    search.enter(text);
    return entries.map(({ hidden }) => !hidden);
  };
}

it('the search leaves the entries whose part of the page has every word', () => {
  const shownFor = openPage();
  expect(shownFor('text-1')).toEqual([true, false, false]);
  expect(shownFor('TEXT-3 title-2')).toEqual([true, true, false]);
  expect(shownFor('text-5')).toEqual([false, false, true]);
  expect(shownFor('jambonz')).toEqual([false, false, true]);
  expect(shownFor('nothing of the kind')).toEqual([false, false, false]);
  expect(shownFor('  ')).toEqual([true, true, true]);
});
