/** The page's one style sheet: the reader's own colours, light or dark; readable on a phone. */
export const PAGE_STYLE = `
:root { color-scheme: light dark; --paper: #fff; --ink: #1d2329; --soft: #5b6670; --line: #dfe3e8;
  --shade: #f5f7f9; --link: #0b63b5; --send: #0b7a4b; --receive: #8a4b08; }
@media (prefers-color-scheme: dark) { :root { --paper: #14181c; --ink: #dfe5ea; --soft: #97a3ae;
  --line: #2c343b; --shade: #1c2227; --link: #7fb8f0; --send: #6fd3a4; --receive: #e5ab6b; } }
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
a { color: var(--link); text-decoration: none; }
a:hover { text-decoration: underline; }
.frame { display: grid; grid-template-columns: 15rem minmax(0, 1fr); max-width: 78rem; margin: 0 auto; }
nav { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow: auto;
  padding: 2rem 1rem; font-size: .9rem; }
nav input { width: 100%; margin: 0 0 1rem; padding: .35rem .6rem; font: inherit; color: inherit;
  background: var(--shade); border: 1px solid var(--line); border-radius: 4px; }
nav ul { list-style: none; margin: 0 0 .9rem; padding: 0; }
nav ul ul { margin: 0; padding-left: .9rem; }
nav li { margin: .2rem 0; }
main { padding: 2rem 1.5rem 6rem; min-width: 0; border-left: 1px solid var(--line); }
h1 { margin: 0 0 .3rem; font-size: 1.9rem; line-height: 1.2; }
h2 { margin: 3.2rem 0 .6rem; padding-top: 1rem; border-top: 1px solid var(--line); font-size: 1.5rem; }
h3 { margin: 2.2rem 0 .5rem; font-size: 1.15rem; }
h4 { margin: 1.8rem 0 .3rem; font-size: 1rem; }
h2 > a, h3 > a, h4 > a { color: inherit; }
h2 > a:hover::after, h3 > a:hover::after, h4 > a:hover::after { content: " #"; color: var(--soft); }
p { margin: .5rem 0; max-width: 46rem; }
small, .soft { color: var(--soft); }
small { font-weight: normal; }
code, pre { font: .875em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
p code { overflow-wrap: anywhere; }
table code { white-space: nowrap; }
pre { position: relative; margin: .4rem 0 1rem; padding: .75rem 1rem; background: var(--shade);
  border: 1px solid var(--line); border-radius: 6px; white-space: pre-wrap; overflow-wrap: anywhere; }
pre button { position: absolute; top: .4rem; right: .4rem; padding: .15rem .55rem; font: inherit;
  color: var(--soft); background: var(--paper); border: 1px solid var(--line); border-radius: 4px; cursor: pointer; }
.example { margin: .8rem 0 0; font-size: .9rem; color: var(--soft); }
.wide { overflow-x: auto; margin: .6rem 0 1.2rem; }
table { width: 100%; border-collapse: collapse; font-size: .9rem; }
th, td { padding: .45rem .8rem .45rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
thead th { color: var(--soft); font-weight: 600; }
tbody th { font-weight: normal; min-width: 9rem; }
td:last-child { min-width: 16rem; width: 50%; }
.type { color: var(--soft); min-width: 11rem; }
.endpoint strong { color: var(--send); font-size: .85rem; letter-spacing: .03em; }
.send, nav .send a { color: var(--send); }
.receive, nav .receive a { color: var(--receive); }
@media (max-width: 56rem) { .frame { display: block; } nav { position: static; max-height: none; padding-bottom: 0; }
  nav:not(.searching) ul ul { display: none; } main { border-left: 0; } }
@media (max-width: 40rem) { thead { display: none; } tr { display: block; padding: .5rem 0; border-bottom: 1px solid var(--line); }
  th, td { display: block; padding: .1rem 0; border: 0; } td:last-child { width: auto; min-width: 0; }
  td[data-label]::before { content: attr(data-label) ": "; color: var(--soft); } }
@media print { nav, pre button { display: none; } .frame { display: block; } }
`;

/**
 * Puts a search above the contents, which leaves those entries whose part of the page has every word; a page
 * elsewhere is found by its title and headings. Gives every example a button that copies it; without a clipboard (plain HTTP)
 * it selects the text instead.
 */
export const PAGE_SCRIPT = `
const nav = document.querySelector('nav');
const textBelow = (heading) => {
  let text = heading.textContent;
  for (let next = heading.nextElementSibling; next; next = next.nextElementSibling) {
    if (next.tagName[0] === 'H' && next.tagName <= heading.tagName) break;
    text += ' ' + next.textContent;
  }
  return text;
};
const entries = [...nav.querySelectorAll('li')].map((entry) => {
  const link = entry.querySelector('a');
  const place = link.hash && document.getElementById(decodeURIComponent(link.hash.slice(1)));
  const words = [link.textContent, entry.dataset.words ?? '', place ? textBelow(place) : ''];
  return { entry, text: words.join(' ').toLowerCase() };
}).reverse();
const search = document.createElement('input');
search.type = 'search';
search.placeholder = 'Search';
search.setAttribute('aria-label', 'Search the contents');
search.addEventListener('input', () => {
  const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
  nav.classList.toggle('searching', words.length > 0);
  for (const { entry, text } of entries) {
    entry.hidden = !words.every((word) => text.includes(word)) && !entry.querySelector('li:not([hidden])');
  }
});
nav.prepend(search);
for (const block of document.querySelectorAll('pre')) {
  const code = block.querySelector('code');
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = 'Copied';
    } catch {
      getSelection().selectAllChildren(code);
      button.textContent = 'Selected';
    }
    setTimeout(() => { button.textContent = 'Copy'; }, 1500);
  });
  block.append(button);
}
`;
