import { type Html, html } from './html.ts';
import { type Heading, renderMarkdown } from './markdown.ts';
import { pageLayout } from './page-layout.ts';
import { PAGES, type Page, readPage, servedLink } from './pages.ts';

/** One Markdown page as HTML, with links to all others. */
export function guidePage(page: Page): string {
  const { body, headings } = renderMarkdown(readPage(page), (href) => servedLink(page, href));
  return pageLayout({
    title: `${page.title} · Sidetone`,
    navigation: navigation(page, headings),
    main: body,
  });
}

/** What a search in another page finds this one by. */
export function searchWords(page: Page): string {
  const { headings } = renderMarkdown(readPage(page), () => undefined);
  return headings.map(({ title }) => title).join(' ');
}

function navigation(current: Page, headings: readonly Heading[]): Html {
  const sections = headings
    .filter(({ depth }) => depth === 2)
    .map(({ anchor, title }) => html`<li><a href="#${anchor}">${title}</a></li>\n`);
  const entries = PAGES.map(
    (page) =>
      html`<li data-words="${searchWords(page)}"><a href="${page.name}">${page.title}</a>${
        page === current && sections.length > 0 ? html`<ul>\n${sections}</ul>` : ''
      }</li>\n`,
  );
  return html`<nav aria-label="Contents"><ul>
<li><a href="../docs">Start and reference</a></li>
${entries}</ul></nav>`;
}
