import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const FRONT_PAGE = 'README.md';
const MAP = 'src/README.md';
const PAGES = [FRONT_PAGE, 'models/README.md', 'bench/README.md', ...pagesBelow('src')];

function pagesBelow(folder: string): string[] {
  return readdirSync(join(PROJECT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => join(folder, file));
}

function read(page: string): string {
  return readFileSync(join(PROJECT, page), 'utf8');
}

/** The files of the project that a page links to, and the anchors in them. */
function linksOf(page: string): Array<{ readonly file: string; readonly anchor: string }> {
  const prose = read(page).replaceAll(/^```.*?^```/gms, '');
  const targets = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  return targets
    .filter((target) => !/^https?:/.test(target))
    .map((target) => {
      const [path = '', anchor = ''] = target.split('#');
      return { file: path === '' ? page : join(dirname(page), path), anchor };
    });
}

/** The anchors that GitHub gives the headings of a page. */
function anchorsOf(page: string): string[] {
  const headings = [...read(page).matchAll(/^#+ (.*)$/gm)].map(([, title = '']) => title);
  return headings.map((title) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

describe('the front page', () => {
  it('is read in one go: 10 KB at most', () => {
    expect(statSync(join(PROJECT, FRONT_PAGE)).size).toBeLessThanOrEqual(10_000);
  });
});

describe('the pages', () => {
  it.each(PAGES)('%s links to files and headings that there are', (page) => {
    for (const { file, anchor } of linksOf(page)) {
      expect(existsSync(join(PROJECT, file)), file).toBe(true);
      if (anchor !== '') expect(anchorsOf(file), file).toContain(anchor);
    }
  });

  it('are all linked from the front page or the map', () => {
    const linked = [FRONT_PAGE, MAP].flatMap(linksOf).map(({ file }) => file);
    expect(PAGES.filter((page) => page !== FRONT_PAGE && !linked.includes(page))).toEqual([]);
  });

  it('have no command that runs what a stranger may put into the registry', () => {
    const places = [...PAGES, 'src/run-server.ts', 'src/api/documents/quick-start.ts'];
    expect(places.filter((page) => /npx sidetone/.test(read(page)))).toEqual([]);
  });

  it('have commands that fail when a request does', () => {
    const commands = PAGES.flatMap((page) => read(page).match(/\bcurl +-.*/g) ?? []);
    expect(commands.length).toBeGreaterThan(4);
    expect(commands.filter((command) => !command.includes('--fail-with-body'))).toEqual([]);
  });

  it('write files that git ignores', () => {
    const outputs = ['README.md', 'src/tools/DESK-PHONE.md', 'src/api/OPENAI.md'].flatMap((page) =>
      [...read(page).matchAll(/^[^|]*? -o ([\w.]+)/gm)].map(([, file = '']) => file),
    );
    expect(outputs).toEqual(expect.arrayContaining(['hello.wav', 'hello.mp3', 'call']));
    const paths = outputs.map((file) => (file.includes('.') ? file : `${file}/bot.wav`));
    const ignored = execFileSync('git', ['check-ignore', ...paths], { cwd: PROJECT });
    expect(String(ignored).trim().split('\n')).toEqual(paths);
  });

  it('name tests that there are', () => {
    const named = read('src/service/OPERATIONS.md').match(/test\/[\w./-]+\.ts/g) ?? [];
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((test) => !existsSync(join(PROJECT, test)))).toEqual([]);
  });
});
