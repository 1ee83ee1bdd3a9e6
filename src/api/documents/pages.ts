import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A page of the documents for people who use the server. */
export interface Page {
  /** The end of its address: `/docs/{name}`. */
  readonly name: string;
  /** Of its Markdown, below `src`. */
  readonly file: string;
  readonly title: string;
}

/** In the order of the contents. Pages for people who change the code are not served. */
export const PAGES: readonly Page[] = [
  { name: 'websocket', file: 'api/WEBSOCKET.md', title: 'The websocket' },
  { name: 'rest', file: 'api/REST.md', title: 'REST' },
  { name: 'dialogue', file: 'api/DIALOGUE.md', title: 'Dialogues' },
  { name: 'deepgram', file: 'api/DEEPGRAM.md', title: 'For clients of Deepgram' },
  { name: 'cartesia', file: 'api/CARTESIA.md', title: 'For clients of Cartesia' },
  { name: 'openai', file: 'api/OPENAI.md', title: 'For clients of OpenAI' },
  { name: 'webhooks', file: 'service/WEBHOOKS.md', title: 'Webhooks' },
  { name: 'errors', file: 'api/ERRORS.md', title: 'Errors' },
  { name: 'carriers', file: 'phone/CARRIERS.md', title: 'Carriers' },
  { name: 'bots', file: 'phone/BOTS.md', title: 'Bots and menus' },
  { name: 'desk-phone', file: 'tools/DESK-PHONE.md', title: 'Desk phone' },
  { name: 'voices', file: 'synthesis/VOICES.md', title: 'Voices' },
  { name: 'settings', file: 'SETTINGS.md', title: 'Settings' },
  { name: 'operations', file: 'service/OPERATIONS.md', title: 'Operations' },
  { name: 'protocol', file: 'api/PROTOCOL.md', title: 'Wire facts' },
];

/** Pages stay in `src`, whether this runs from there or from `dist` beside it. */
const SOURCE_DIR = fileURLToPath(new URL('../../../src/', import.meta.url));

/** The Markdown of a page. @throws the system's error when the installation lacks it. */
export function readPage({ file }: Page): string {
  return readFileSync(`${SOURCE_DIR}${file}`, 'utf8');
}

/**
 * Where a link of a page leads to on the server, relative to the page's own address.
 * @returns undefined when it leads to a file that is not served.
 */
export function servedLink(from: Page, href: string): string | undefined {
  if (/^https?:\/\//.test(href) || href.startsWith('#')) return href;
  const [path = '', anchor] = href.split('#', 2);
  const file = posix.join(posix.dirname(from.file), path);
  const target = PAGES.find((page) => page.file === file);
  if (!target) return undefined;
  return anchor === undefined ? target.name : `${target.name}#${anchor}`;
}
