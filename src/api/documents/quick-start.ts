import { type Html, html } from './html.ts';
import { PAGES } from './pages.ts';

/** How to hear the server, and where to read on. */
export function quickStart(baseUrl: string): Html {
  const request = `export SIDETONE_URL=${baseUrl} SIDETONE_API_KEY=…
VOICE_ID=$(curl -s --fail-with-body "$SIDETONE_URL/v1/voices" | grep -o '"voice_id":"[^"]*' | head -n 1 | cut -d '"' -f 4)
curl -s --fail-with-body -H "xi-api-key: $SIDETONE_API_KEY" -H 'content-type: application/json' -o hello.mp3 -d '{"text":"Hello. Thank you for calling."}' "$SIDETONE_URL/v1/text-to-speech/$VOICE_ID"`;
  const commands = `sidetone voices
sidetone say "Hello. Thank you for calling." -o hello.wav
sidetone call --carrier twilio --seconds 20 -o call`;
  const pages = PAGES.map(
    ({ name, title }) => html`<li><a href="docs/${name}">${title}</a></li>\n`,
  );
  return html`<h2 id="start"><a href="#start">Quick start</a></h2>
<p>The first start of the server prints an API key. From any machine that reaches it:</p>
<pre><code>${request}</code></pre>
<p>Where Sidetone is installed, with the alias that its start prints:</p>
<pre><code>${commands}</code></pre>
<p>The last command is a phone call, which the built-in menu answers.</p>
<h2 id="pages"><a href="#pages">Pages</a></h2>
<ul>
${pages}</ul>`;
}
