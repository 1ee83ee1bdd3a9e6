import { type OutputFormat, parseOutputFormat } from '../../domain/audio.ts';
import { invalidMessage } from './message-reader.ts';

/** The names under which carriers know the codecs that are spoken here, in lower case. */
const CODECS: ReadonlyMap<string, 'ulaw' | 'alaw' | 'pcm'> = new Map([
  ['pcmu', 'ulaw'],
  ['mulaw', 'ulaw'],
  ['audio/x-mulaw', 'ulaw'],
  ['audio/mulaw', 'ulaw'],
  ['audio/pcmu', 'ulaw'],
  ['pcma', 'alaw'],
  ['alaw', 'alaw'],
  ['audio/x-alaw', 'alaw'],
  ['audio/alaw', 'alaw'],
  ['audio/pcma', 'alaw'],
  ['l16', 'pcm'],
  ['audio/x-l16', 'pcm'],
  ['audio/l16', 'pcm'],
]);

export interface AnnouncedFormat {
  readonly encoding: string;
  readonly sampleRate: number;
}

/** What a carrier may stream, and what its user must do about everything else. */
export interface FormatRules {
  /** As messages name the carrier. */
  readonly carrier: string;
  /** Names of output formats. */
  readonly accepted: readonly string[];
  /** A sentence that says where to set what. */
  readonly advice: string;
}

/**
 * The format that a carrier announces in its own words.
 * @throws SpeechError `invalid_input_message` for one that is not spoken to this carrier.
 */
export function mediaFormat(announced: AnnouncedFormat, rules: FormatRules): OutputFormat {
  const codec = CODECS.get(announced.encoding.trim().toLowerCase());
  const name = codec && `${codec}_${announced.sampleRate}`;
  if (name !== undefined && rules.accepted.includes(name)) return parseOutputFormat(name);
  throw invalidMessage(
    rules.carrier,
    `its stream is ${announced.encoding.slice(0, 40)} at ${announced.sampleRate} Hz, which is not spoken here. ${rules.advice}`,
  );
}
