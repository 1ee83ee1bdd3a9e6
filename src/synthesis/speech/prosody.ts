import type { VoiceSettings } from '../../domain/voice.ts';
import type { Prosody } from '../engine/engine.ts';

/**
 * How a caller's settings move a VITS voice. Stability 0.5 and style 0 leave the voice as it was
 * trained; lower stability scales both noises up (timbre and rhythm vary more between runs), higher
 * scales them down; style moves rhythm twice as much as timbre, because too much timbre noise is
 * heard as hoarseness before it is heard as expression.
 */
export function prosodyOf(settings: VoiceSettings): Prosody {
  const looseness = 1.5 - settings.stability;
  return {
    variation: looseness + 0.3 * settings.style,
    rhythm: looseness + 0.6 * settings.style,
    pace: settings.speed,
  };
}
