import { anyOf, type Rule, rule } from '../rule.ts';
import { digitByDigit } from './cardinals.ts';
import { spelled } from './spelling.ts';

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const HOST = `(?:${LABEL}\\.){1,6}[a-z]{2,18}`;
const PATH = '(?:/[a-z0-9\\-._~%&=?#+/!@:]{0,200}[a-z0-9/_=]|/)?';
/** Ends that make a bare name an address; others ("file.txt", "end.Next") want a scheme, "www." or a path. */
const KNOWN_ENDS = anyOf(
  'com org net edu gov mil io co ai app dev us uk ca de fr eu au info biz tv health shop store online tech cloud bank'.split(
    ' ',
  ),
);
const HOST_END = '(?![\\p{L}\\p{M}\\p{N}_@]|[.-][\\p{L}\\p{N}])';

/** Endings that people say as words; other short ones are spelled ("dot I O"). */
const WORD_ENDS = new Set([
  'co',
  'me',
  'to',
  'so',
  'app',
  'dev',
  'com',
  'net',
  'org',
  'gov',
  'mil',
  'biz',
  'xyz',
]);
const SPELLED_ENDS = new Set(['edu', 'tv']);

const MARKS: Readonly<Record<string, string>> = {
  '.': 'dot',
  '-': 'dash',
  _: 'underscore',
  '+': 'plus',
  '/': 'slash',
  '?': 'question mark',
  '=': 'equals',
  '&': 'and',
  '#': 'hash',
  '%': 'percent',
  '~': 'tilde',
  ':': 'colon',
  '!': 'exclamation mark',
  '@': 'at',
};

/** E-mail and web addresses, without scheme and closing slash. */
export const webRules: readonly Rule[] = [
  rule(
    'digit letter',
    `([a-z0-9._%+-]{1,64})@(${HOST})${HOST_END}`,
    ([, mailbox = '', host = '']) => `${spokenParts(mailbox)} at ${spokenHost(host)}`,
    'i',
  ),
  rule('letter', `https?://(?:www\\.)?(${HOST})(:[0-9]{1,5})?(${PATH})`, spokenAddress, 'i'),
  rule('letter', `(www\\.${HOST})()(${PATH})${HOST_END}`, spokenAddress, 'i'),
  rule(
    'digit letter',
    `((?:${LABEL}\\.){1,5}${KNOWN_ENDS})()(${PATH})${HOST_END}`,
    bareAddress,
    'i',
  ),
];

function spokenAddress([, host = '', port = '', path = '']: RegExpExecArray): string {
  return [spokenHost(host), spokenParts(port), spokenParts(path.replace(/\/$/, ''))]
    .filter((part) => part !== '')
    .join(' ');
}

/** "Inc.Us", a lost space after a full stop, has its capital there. */
function bareAddress(match: RegExpExecArray): string | undefined {
  return /\.[A-Z][a-z]/.test(match[1] ?? '') ? undefined : spokenAddress(match);
}

function spokenHost(host: string): string {
  const labels = host.split('.');
  return labels
    .map((label, i) => (i === labels.length - 1 ? spokenEnd(label) : spokenParts(label)))
    .join(' dot ');
}

function spokenEnd(end: string): string {
  const name = end.toLowerCase();
  return SPELLED_ENDS.has(name) || (name.length === 2 && !WORD_ENDS.has(name))
    ? spelled(name)
    : name;
}

/** Words stay, marks get their names, digits are read one by one. */
function spokenParts(address: string): string {
  const parts = address.match(/\p{L}{1,256}|[0-9]{1,256}|[^\p{L}0-9]/gu) ?? [];
  return parts.map(spokenPart).join(' ');
}

function spokenPart(part: string): string {
  if (/^[0-9]/.test(part)) return digitByDigit(part);
  if (/^www$/i.test(part)) return 'W W W';
  return MARKS[part] ?? part;
}
