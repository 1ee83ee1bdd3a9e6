import { type Static, Type } from 'typebox';
import type { AlignedPart, ChunkAlignment } from '../../synthesis/text/alignment.ts';

export const VoiceSegment = Type.Object(
  {
    voice_id: Type.String(),
    start_time_seconds: Type.Number({ description: 'From the start of the audio.' }),
    end_time_seconds: Type.Number(),
    character_start_index: Type.Integer({ description: 'In the characters of alignment.' }),
    character_end_index: Type.Integer({ description: 'Behind the last one.' }),
    dialogue_input_index: Type.Integer({ description: 'Which of inputs it is, from 0.' }),
  },
  { title: 'VoiceSegment', description: 'What one voice says at a stretch.' },
);

/**
 * Who speaks when in a piece of audio, with or without all of a dialogue.
 *
 * @param alignment of the piece; undefined where no character starts in it.
 * @param voiceIds of the dialogue's inputs.
 */
export function voiceSegments(
  alignment: ChunkAlignment | undefined,
  voiceIds: readonly string[],
): ReadonlyArray<Static<typeof VoiceSegment>> {
  if (!alignment) return [];
  const { charStartTimesMs, charDurationsMs } = alignment.original;
  let end = 0;
  return joined(alignment.parts ?? []).map(({ index, length }) => {
    const start = end;
    end += length;
    const lastMs = (charStartTimesMs[end - 1] ?? 0) + (charDurationsMs[end - 1] ?? 0);
    return {
      voice_id: voiceIds[index] ?? '',
      start_time_seconds: (charStartTimesMs[start] ?? 0) / 1000,
      end_time_seconds: lastMs / 1000,
      character_start_index: start,
      character_end_index: end,
      dialogue_input_index: index,
    };
  });
}

/** Frames divide parts of a dialogue; here they are whole again. */
function joined(parts: readonly AlignedPart[]): readonly AlignedPart[] {
  const whole: AlignedPart[] = [];
  for (const part of parts) {
    const last = whole.at(-1);
    if (last?.index === part.index) {
      whole[whole.length - 1] = { ...last, length: last.length + part.length };
    } else if (part.length > 0) {
      whole.push(part);
    }
  }
  return whole;
}
