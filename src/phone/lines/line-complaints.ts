import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { WrittenLine } from './line-schemas.ts';
import type { YamlComplaint, YamlPath } from './yaml-complaint.ts';

/** Headers that the websocket handshake itself is made of (RFC 6455 §4.1). */
const HANDSHAKE_HEADER =
  /^(host|connection|upgrade|content-length|transfer-encoding|sec-websocket-.*)$/i;

/** What a schema cannot say of the lines of one file. */
export function* lineComplaints(lines: readonly WrittenLine[]): Generator<YamlComplaint> {
  const seen = new Set<string>();
  for (const [index, line] of lines.entries()) {
    const path = ['lines', index];
    if (seen.has(line.id)) {
      yield {
        path: [...path, 'id'],
        message: `is "${line.id}" a second time. Every line needs an id of its own.`,
      };
    }
    seen.add(line.id);
    yield* botComplaints(line.bot, [...path, 'bot']);
  }
}

function* botComplaints(bot: WrittenLine['bot'], path: YamlPath): Generator<YamlComplaint> {
  if (bot === undefined) return;
  const kinds = Object.keys(bot);
  if (kinds.length !== 1) {
    yield { path, message: 'must have exactly one of attach, dial and menu.' };
  }
  if (!bot.dial) return;
  yield* urlComplaints(bot.dial.url, [...path, 'dial', 'url']);
}

function* urlComplaints(text: string, path: YamlPath): Generator<YamlComplaint> {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url) yield { path, message: 'is not an address such as wss://bot.example.com/calls.' };
  // The websocket standard has no use for a fragment, and clients refuse it (RFC 6455 §3).
  else if (url.hash !== '') yield { path, message: 'must not have a part behind #.' };
}

/** @returns what is wrong with a header, if anything; never repeats its value, which may be a secret. */
export function headerComplaint(name: string, value: string): string | undefined {
  if (HANDSHAKE_HEADER.test(name)) return 'is a header that the websocket sets itself.';
  try {
    validateHeaderName(name);
  } catch {
    return 'is not the name of an HTTP header.';
  }
  try {
    validateHeaderValue(name, value);
    return undefined;
  } catch {
    return 'holds characters that an HTTP header cannot carry.';
  }
}
