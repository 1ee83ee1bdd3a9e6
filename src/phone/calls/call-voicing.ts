import type { Caller } from '../../domain/account.ts';
import type { OutputFormat } from '../../domain/audio.ts';
import type { ChunkMeter } from '../../synthesis/speech/speaker.ts';
import {
  openVoicing,
  type SpeechWishes,
  type VoicingParts,
} from '../../synthesis/speech/voicing.ts';
import type { CallLogger, CallServices, FoundVoice } from './call-services.ts';
import type { CallVoiceParts } from './call-voice.ts';
import type { Line } from './line.ts';

/** What is settled about a call's voice when it is admitted. */
export interface CallVoicing {
  readonly services: Pick<CallServices, 'speaker' | 'findDictionaries' | 'telemetry'>;
  readonly line: Line;
  readonly format: OutputFormat;
  readonly caller: Caller;
  readonly found: FoundVoice;
  readonly meter: ChunkMeter;
  readonly log: CallLogger;
}

/** @returns what each context of the call begins to speak with. */
export function callVoicing(voicing: CallVoicing): CallVoiceParts['beginSpeech'] {
  const { services, line, caller, found, meter, log } = voicing;
  const { speaker, findDictionaries, telemetry } = services;
  const { latencyLevel } = line;
  const parts: Omit<VoicingParts, 'onSpoken'> = {
    ...{ speaker, meter },
    accountId: caller.accountId,
    // Whether there is room was asked when the call came: a caller is not left in silence later.
    isAdmitted: true,
    voice: found.voice,
    storedSettings: { ...found.settings, ...line.voiceSettings },
    wishes: wishesOf(line, voicing.format),
    dictionaries: (locators) => findDictionaries(caller, locators),
    onCut: (chunk) => telemetry.chunkCut(log, latencyLevel, chunk),
  };
  return (settings, sink, onChunk, aheadMs) => {
    const onSpoken: VoicingParts['onSpoken'] = (chunk) => {
      telemetry.chunkSpoken(log, latencyLevel, chunk);
      onChunk();
    };
    return openVoicing({ ...parts, onSpoken, aheadMs }, settings, sink);
  };
}

/** Numbers are written out on the phone, but for the level that would rather be early than right. */
function wishesOf({ latencyLevel }: Line, format: OutputFormat): SpeechWishes {
  return {
    ...{ format, latencyLevel },
    autoMode: false,
    seed: undefined,
    normalise: latencyLevel < 4,
    alignment: 'synchronised',
  };
}
