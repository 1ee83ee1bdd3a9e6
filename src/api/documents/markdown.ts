import { Marked, type Tokens } from 'marked';
import { Html, html } from './html.ts';

/** A heading of a page, for its contents. */
export interface Heading {
  readonly depth: number;
  readonly title: string;
  readonly anchor: string;
}

interface RenderedMarkdown {
  readonly body: Html;
  readonly headings: readonly Heading[];
}

/**
 * Markdown as GitHub has it. HTML in it is shown as text, and a link that leads nowhere is its text.
 * @param linkTo where a link leads to; undefined when nowhere.
 */
export function renderMarkdown(
  markdown: string,
  linkTo: (href: string) => string | undefined,
): RenderedMarkdown {
  const headings: Heading[] = [];
  const marked = new Marked({
    renderer: {
      html: ({ text }: Tokens.HTML | Tokens.Tag) => html`${text}`.toString(),
      image: ({ text }) => html`${text}`.toString(),
      heading({ tokens, depth, text }) {
        const title = text.replaceAll('`', '');
        const anchor = headingAnchor(title);
        headings.push({ depth, title, anchor });
        const content = new Html(this.parser.parseInline(tokens));
        const link = depth === 1 ? content : html`<a href="#${anchor}">${content}</a>`;
        return `<h${depth} id="${anchor}">${link}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const content = new Html(this.parser.parseInline(tokens));
        const target = linkTo(href);
        return target === undefined
          ? content.toString()
          : html`<a href="${target}">${content}</a>`.toString();
      },
      code: ({ text }) => html`<pre><code>${text}</code></pre>\n`.toString(),
      table(token) {
        const row = (cells: readonly Tokens.TableCell[], tag: string) =>
          cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('');
        const rows = token.rows.map((cells) => `<tr>${row(cells, 'td')}</tr>\n`).join('');
        return `<div class="wide"><table><thead><tr>${row(token.header, 'th')}</tr></thead>
<tbody>${rows}</tbody></table></div>\n`;
      },
    },
  });
  return { body: new Html(marked.parse(markdown, { async: false })), headings };
}

/** As GitHub makes it of a heading's text. */
function headingAnchor(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}
