import type { Carrier, StreamRequest } from '../../calls/carrier.ts';
import { queryText } from '../call-parameters.ts';

/** Query parameters of the stream's address that say which module is at the other end, and how. */
export const MANNER_PARAMETERS = ['module', 'playback', 'rate', 'marks', 'clears'];

/** How one FreeSWITCH module takes audio. Its messages do not tell, so the address must. */
export interface FreeswitchManner {
  readonly module: 'audio_stream' | 'audio_fork';
  /** Base64 in JSON, which the module turns into files; or binary messages, played as they come. */
  readonly playback: 'json' | 'raw';
  /** Whether the module answers marks. */
  readonly hasMarks: boolean;
  /** Whether the module falls silent on `killAudio`. */
  readonly clears: boolean;
}

/** mod_audio_stream's JSON unless the address says otherwise; mod_audio_fork's binary stream. */
export function mannerOf({ query }: StreamRequest): FreeswitchManner {
  const isFork = queryText(query, 'module') === 'audio_fork';
  const playback = queryText(query, 'playback') ?? (isFork ? 'raw' : 'json');
  return {
    module: isFork ? 'audio_fork' : 'audio_stream',
    playback: playback === 'raw' ? 'raw' : 'json',
    hasMarks: isFork && queryText(query, 'marks') === 'true',
    // mod_audio_fork always does; of mod_audio_stream only some builds do.
    clears: isFork || queryText(query, 'clears') === 'true',
  };
}

type Abilities = Pick<
  Carrier,
  'unitsPerMessage' | 'maxUnitsPerMessage' | 'leadMs' | 'answersMarks' | 'clears'
>;

/** What may be expected of a module. */
export function abilitiesOf({ playback, hasMarks, clears }: FreeswitchManner): Abilities {
  if (playback === 'json') {
    // Each message becomes a file that is opened and played: few of them, and well ahead.
    return {
      unitsPerMessage: 10,
      maxUnitsPerMessage: 50,
      leadMs: 500,
      answersMarks: hasMarks,
      clears,
    };
  }
  return {
    unitsPerMessage: 1,
    maxUnitsPerMessage: 10,
    // What cannot be dropped is better not sent far ahead.
    leadMs: clears ? 200 : 100,
    answersMarks: hasMarks,
    clears,
  };
}
