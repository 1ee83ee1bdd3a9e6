import { toSpeechError } from '../../domain/errors.ts';
import type { Generation } from '../rest-speech/generation.ts';
import { base64, type ReplyForm } from '../rest-speech/reply-form.ts';
import { openAiError } from './openai-errors.ts';

/**
 * Server-sent events: one for each piece of audio, and one for the end. A stream that cannot go on
 * ends with an error, which OpenAI's clients throw.
 */
export const SPEECH_EVENTS: ReplyForm = {
  contentType: () => 'text/event-stream; charset=utf-8',
  whole: (audio, generation) => delta(audio) + done(generation),
  frame: ({ audio }) => delta(audio),
  end: done,
  failure: (thrown) => event(openAiError(toSpeechError(thrown))),
};

function delta(audio: Uint8Array): string {
  return event({ type: 'speech.audio.delta', audio: base64(audio) });
}

/** Nothing is counted in tokens here: what is charged are the characters of the text. */
function done({ cost }: Generation): string {
  const usage = { input_tokens: cost, output_tokens: 0, total_tokens: cost };
  return event({ type: 'speech.audio.done', usage });
}

function event(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}
