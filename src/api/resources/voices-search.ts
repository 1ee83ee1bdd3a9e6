import { Type } from 'typebox';
import { SpeechError } from '../../domain/errors.ts';
import type { KnownVoice } from '../../service/voices/known-voice.ts';

const VOICE_TYPES = [
  'personal',
  'community',
  'default',
  'workspace',
  'non-default',
  'non-community',
  'saved',
] as const;
type VoiceType = (typeof VOICE_TYPES)[number];

const CATEGORIES = [
  'premade',
  'cloned',
  'generated',
  'professional',
  'famous',
  'high_quality',
] as const;

const filter = (description: string) => Type.Optional(Type.String({ maxLength: 200, description }));

export const VoicesQuery = Type.Object({
  page_size: Type.Integer({
    minimum: 1,
    maximum: 100,
    default: 10,
    description: 'Voices to return at most.',
  }),
  next_page_token: Type.Optional(
    Type.String({ maxLength: 2000, description: 'Of the page before.' }),
  ),
  search: filter('Words that must all occur in name, description, labels or category.'),
  sort: Type.Optional(
    Type.Unsafe<'created_at_unix' | 'name'>({
      type: 'string',
      enum: ['created_at_unix', 'name'],
      description:
        'Unless given, the installed voices come in the order of the installation, then your own, oldest first.',
    }),
  ),
  sort_direction: Type.Unsafe<'asc' | 'desc'>({
    type: 'string',
    enum: ['asc', 'desc'],
    default: 'asc',
    description: 'Whether the order goes up or down.',
  }),
  voice_type: Type.Optional(
    Type.Unsafe<VoiceType>({
      type: 'string',
      enum: VOICE_TYPES,
      description:
        'default: installed and listed; community: adopted from the library; personal and workspace: made from recordings; saved: as non-default.',
    }),
  ),
  category: Type.Optional(
    Type.Unsafe<(typeof CATEGORIES)[number]>({
      type: 'string',
      enum: CATEGORIES,
      description: 'Only voices of this category.',
    }),
  ),
  gender: filter('Only voices with this label.'),
  age: filter('Only voices with this label.'),
  accent: filter('Only voices with this label.'),
  language: Type.Optional(
    Type.Array(Type.String(), { maxItems: 100, description: 'Only voices of these languages.' }),
  ),
  voice_ids: Type.Optional(
    Type.Array(Type.String(), { maxItems: 100, description: 'Only these voices.' }),
  ),
  collection_id: filter('Accepted for compatibility: there are no collections, so none matches.'),
  include_total_count: Type.Boolean({
    default: true,
    description: 'Accepted for compatibility: the count costs nothing, and is always there.',
  }),
});
export type VoicesSearch = Type.Static<typeof VoicesQuery>;

/** Of an order: what a voice is sorted by. */
type SortKey = string | number;

export interface VoicesPage {
  readonly voices: readonly KnownVoice[];
  readonly total: number;
  readonly nextToken: string | null;
}

/** @throws SpeechError `invalid_input_message` for a page token of another list. */
export function searchVoices(voices: readonly KnownVoice[], search: VoicesSearch): VoicesPage {
  const found = voices.filter((voice) => matches(voice, search));
  const keyOf = sortKeyOf(search.sort);
  const ordered = sorted(found, keyOf, search);
  const start = search.next_page_token === undefined ? 0 : startAfter(ordered, keyOf, search);
  const page = ordered.slice(start, start + search.page_size);
  const last = page.at(-1);
  const hasMore = start + page.length < ordered.length;
  return {
    voices: page,
    total: ordered.length,
    nextToken: hasMore && last ? tokenOf([keyOf(last), last.voiceId]) : null,
  };
}

/** Whether every word of a search occurs in one of the texts. */
export function mentions(texts: readonly (string | null)[], search: string): boolean {
  const haystack = texts.join('\n').toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/u)
    .every((word) => haystack.includes(word));
}

function matches(voice: KnownVoice, search: VoicesSearch): boolean {
  const { name, description, labels, category } = voice;
  const wanted: readonly boolean[] = [
    search.search === undefined ||
      mentions([name, description, category, ...Object.values(labels)], search.search),
    search.category === undefined || category === search.category,
    search.voice_type === undefined || isOfType(voice, search.voice_type),
    search.voice_ids?.includes(voice.voiceId) ?? true,
    search.language?.includes(labels['language'] ?? '') ?? true,
    ...(['gender', 'age', 'accent'] as const).map(
      (label) => search[label] === undefined || labels[label] === search[label],
    ),
    search.collection_id === undefined,
  ];
  return wanted.every(Boolean);
}

function isOfType({ own }: KnownVoice, type: VoiceType): boolean {
  switch (type) {
    case 'default':
      return own === undefined;
    case 'community':
      return own?.origin === 'library';
    case 'non-default':
    case 'saved':
      return own !== undefined;
    case 'personal':
    case 'workspace':
    case 'non-community':
      return own?.origin === 'recordings';
  }
}

/** Installed voices have no time of making; they come before all that have. */
function sortKeyOf(sort: VoicesSearch['sort']): (voice: KnownVoice) => SortKey {
  return sort === 'name' ? ({ name }) => name : ({ own }) => own?.createdAtMs ?? 0;
}

function sorted(
  voices: readonly KnownVoice[],
  keyOf: (voice: KnownVoice) => SortKey,
  { sort, sort_direction }: VoicesSearch,
): readonly KnownVoice[] {
  if (sort === undefined) return sort_direction === 'asc' ? voices : voices.toReversed();
  const sign = sort_direction === 'asc' ? 1 : -1;
  return voices.toSorted(
    (one, other) =>
      sign * (compare(keyOf(one), keyOf(other)) || compare(one.voiceId, other.voiceId)),
  );
}

/** The first voice after the token's; of a token whose voice is gone, the first that is past it. */
function startAfter(
  ordered: readonly KnownVoice[],
  keyOf: (voice: KnownVoice) => SortKey,
  { next_page_token, sort_direction }: VoicesSearch,
): number {
  const [key, voiceId] = readToken(next_page_token ?? '');
  const at = ordered.findIndex((voice) => voice.voiceId === voiceId);
  if (at >= 0) return at + 1;
  const sign = sort_direction === 'asc' ? 1 : -1;
  const next = ordered.findIndex((voice) => sign * compare(keyOf(voice), key) > 0);
  return next < 0 ? ordered.length : next;
}

/** By code unit: the same on every machine, whatever its language. */
function compare(one: SortKey, other: SortKey): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

function tokenOf(place: readonly [SortKey, string]): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

function readToken(token: string): readonly [SortKey, string] {
  try {
    const [key, voiceId] = JSON.parse(Buffer.from(token, 'base64url').toString());
    if (['string', 'number'].includes(typeof key) && typeof voiceId === 'string') {
      return [key, voiceId];
    }
  } catch {
    // Refused below, like one that reads as something else.
  }
  throw new SpeechError(
    'invalid_input_message',
    'This next_page_token is not one that a list of voices gave.',
    { param: 'next_page_token' },
  );
}
