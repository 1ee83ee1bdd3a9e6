import { Html, html } from './html.ts';
import { PAGE_SCRIPT, PAGE_STYLE } from './page-style.ts';

interface PageParts {
  readonly title: string;
  readonly navigation: Html;
  readonly main: Html;
}

/** A whole page; it needs nothing from any other address. */
export function pageLayout({ title, navigation, main }: PageParts): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${new Html(PAGE_STYLE)}</style>
</head>
<body>
<div class="frame">
${navigation}
<main>
${main}
</main>
</div>
<script>${new Html(PAGE_SCRIPT)}</script>
</body>
</html>
`.toString();
}
