import { Type } from 'typebox';
import {
  HISTORY_SOURCES,
  type HistoryAlignments,
  type HistoryItem,
} from '../../domain/history-item.ts';
import { nullable } from '../http/reply-schemas.ts';
import { VoiceSettingsRecord, writeVoiceSettings } from '../wire/voice-settings.ts';

const MAX_PAGE_SIZE = 1000;
/** Of one download: its ids then fit into a request. */
const MAX_DOWNLOADS = 1000;
/** As `newHistoryItemId` makes them. */
const ID_PATTERN = '^[0-9a-z]{20}$';

/** The end of the year 9999: what no database takes for an overflow. */
const MAX_UNIX_SECONDS = 253_402_300_799;
const unixSeconds = (description: string) =>
  Type.Integer({ minimum: 0, maximum: MAX_UNIX_SECONDS, description });

export const HistoryQuerySchema = Type.Object({
  page_size: Type.Integer({
    minimum: 1,
    maximum: MAX_PAGE_SIZE,
    default: 100,
    description: 'Items to return at most.',
  }),
  start_after_history_item_id: Type.Optional(
    Type.String({
      pattern: ID_PATTERN,
      description: 'Continues behind this item: `last_history_item_id` of the page before.',
    }),
  ),
  voice_id: Type.Optional(
    Type.String({ maxLength: 100, description: 'Only what this voice spoke.' }),
  ),
  model_id: Type.Optional(
    Type.String({ maxLength: 100, description: 'Only what this model made.' }),
  ),
  date_before_unix: Type.Optional(unixSeconds('Only what was made before this time.')),
  date_after_unix: Type.Optional(unixSeconds('Only what was made at this time or later.')),
  sort_direction: Type.Union([Type.Literal('asc'), Type.Literal('desc')], {
    default: 'desc',
    description: 'By time: `desc` starts with the newest.',
  }),
  search: Type.Optional(
    Type.String({ maxLength: 200, description: 'Only texts that contain this, in any case.' }),
  ),
  source: Type.Optional(
    Type.Union(
      HISTORY_SOURCES.map((source) => Type.Literal(source)),
      {
        description:
          'What made the audio: `TTS` from text, `STS` from other speech; of `Flows` there are none.',
      },
    ),
  ),
});

export const HistoryItemParams = Type.Object({
  history_item_id: Type.String({ description: 'From the list, or the header `history-item-id`.' }),
});

export const DownloadBody = Type.Object({
  history_item_ids: Type.Array(Type.String(), {
    minItems: 1,
    maxItems: MAX_DOWNLOADS,
    description: 'One id answers with the audio itself, several with a ZIP archive.',
  }),
  output_format: Type.Optional(
    nullable(
      Type.Union([Type.Literal('default'), Type.Literal('wav')], {
        description:
          '`wav` puts PCM, mu-law and A-law into WAV files; `default` leaves all as it is.',
      }),
    ),
  ),
});

/** Read by hand, since a range that cannot be read is to be ignored (RFC 9110 §14.2). */
export const RangeHeaders = Type.Object({
  range: Type.Optional(
    Type.Unknown({ description: 'One part of the audio, such as bytes=0-1023.' }),
  ),
});

export const HistoryItemRecord = Type.Object(
  {
    history_item_id: Type.String(),
    request_id: Type.String(),
    voice_id: Type.String(),
    model_id: Type.String(),
    voice_name: Type.String({ description: 'As the voice was called then.' }),
    voice_category: Type.String(),
    text: Type.String(),
    date_unix: Type.Integer({ description: 'When it was made.' }),
    character_count_change_from: Type.Integer({ description: 'Characters used before it.' }),
    character_count_change_to: Type.Integer({ description: 'Characters used after it.' }),
    content_type: Type.String({ description: 'Of the audio.' }),
    output_format: Type.String(),
    state: Type.Literal('created'),
    settings: VoiceSettingsRecord,
    source: Type.String(),
    alignments: Type.Unknown({
      description:
        'When each character is heard; null in lists, where `GET /v1/history/{id}` has it.',
    }),
    feedback: Type.Null(),
    share_link_id: Type.Null(),
    dialogue: Type.Null(),
  },
  { title: 'HistoryItem' },
);

export const HistoryPage = Type.Object(
  {
    history: Type.Array(HistoryItemRecord),
    last_history_item_id: nullable(Type.String()),
    has_more: Type.Boolean(),
    scanned_until: nullable(
      Type.Integer({ description: 'When the last item of the page was made.' }),
    ),
  },
  { title: 'HistoryPage' },
);

/** An item as clients read it (PROTOCOL §3.5). Strict clients fail on a missing key, hence the nulls. */
export function historyItemRecord(item: HistoryItem) {
  const { settings } = item;
  return {
    history_item_id: item.historyItemId,
    request_id: item.requestId,
    voice_id: item.voiceId,
    model_id: item.modelId,
    voice_name: item.voiceName,
    voice_category: item.voiceCategory,
    text: item.text,
    date_unix: unixTime(item),
    character_count_change_from: item.charactersBefore,
    character_count_change_to: item.charactersAfter,
    content_type: item.contentType,
    output_format: item.outputFormat,
    state: 'created' as const,
    settings: writeVoiceSettings(settings),
    source: item.source,
    alignments: wholeAlignments(item),
    feedback: null,
    share_link_id: null,
    dialogue: null,
  };
}

/** Strict clients read both parts or none; audio without any character has none. */
function wholeAlignments({ alignments }: HistoryItem): HistoryAlignments | null {
  return alignments?.alignment && alignments.normalized_alignment ? alignments : null;
}

/** When an item was made, in seconds since 1970. */
export function unixTime({ createdAtMs }: HistoryItem): number {
  return Math.floor(createdAtMs / 1000);
}
