import { createHash } from 'node:crypto';

/** Stands in a rendered document for the host that it is asked for at. */
const HOST = 'somewhere.invalid';
const SCHEMES = ['http', 'https'] as const;
type Scheme = (typeof SCHEMES)[number];

interface Rendering {
  readonly text: string;
  readonly hash: string;
}

/** A document that is rendered once for each scheme; only the host in it changes from then on. */
export class RenderedDocument {
  readonly #write: (url: string) => string;
  readonly #renderings = new Map<Scheme, Rendering>();

  /** @param write makes the document for the server's address, such as `https://voice.example.com`. */
  constructor(write: (url: string) => string) {
    this.#write = write;
  }

  render(): void {
    for (const scheme of SCHEMES) this.#rendering(scheme);
  }

  /** @param askedUrl an origin: scheme, host and perhaps a port. */
  at(askedUrl: string): string {
    const { scheme, host } = partsOf(askedUrl);
    return this.#rendering(scheme).text.replaceAll(HOST, () => host);
  }

  /** A strong validator (RFC 9110 §8.8.3) of what `at` returns. */
  etag(askedUrl: string): string {
    return `"${this.#rendering(partsOf(askedUrl).scheme).hash}.${hashOf(askedUrl)}"`;
  }

  #rendering(scheme: Scheme): Rendering {
    const known = this.#renderings.get(scheme);
    if (known) return known;
    const text = this.#write(`${scheme}://${HOST}`);
    const rendering = { text, hash: hashOf(text) };
    this.#renderings.set(scheme, rendering);
    return rendering;
  }
}

function partsOf(url: string): { readonly scheme: Scheme; readonly host: string } {
  const scheme = url.startsWith('https:') ? 'https' : 'http';
  return { scheme, host: url.slice(`${scheme}://`.length) };
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}
