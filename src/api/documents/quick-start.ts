import { type Html, html } from './html.ts';
import { PAGES } from './pages.ts';

/** How to hear the server, and where to read on. */
export function quickStart(baseUrl: string): Html {
  const commands = `export SIDETONE_URL=${baseUrl} SIDETONE_API_KEY=…
sidetone voices
sidetone say "Hello. Thank you for calling." -o hello.wav
sidetone call --carrier twilio --seconds 20 -o call`;
  const pages = PAGES.map(
    ({ name, title }) => html`<li><a href="docs/${name}">${title}</a></li>\n`,
  );
  return html`<h2 id="start"><a href="#start">Hear it</a></h2>
<p>The first start of the server prints an API key. In the folder of Sidetone:</p>
<pre><code>${commands}</code></pre>
<p>The last command is a phone call, which the built-in menu answers.</p>
<h2 id="pages"><a href="#pages">Pages</a></h2>
<ul>
${pages}</ul>`;
}
