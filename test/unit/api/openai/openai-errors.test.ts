import { APIError } from 'openai';
import { Stream } from 'openai/core/streaming';
import { describe, expect, it } from 'vitest';
import { OPENAI_ERROR_SHAPE, openAiError } from '../../../../src/api/openai/openai-errors.ts';
import { SPEECH_EVENTS } from '../../../../src/api/openai/speech-events.ts';
import { errorTable, SpeechError } from '../../../../src/domain/errors.ts';

describe('errors in the shape of OpenAI', () => {
  it.each([
    ['quota_exceeded', 429, 'insufficient_quota', 'insufficient_quota'],
    ['rate_limit_exceeded', 429, 'requests', 'rate_limit_exceeded'],
    ['missing_permissions', 403, 'invalid_request_error', 'missing_permissions'],
    ['unsupported_model', 404, 'invalid_request_error', 'model_not_found'],
    ['synthesis_failed', 500, 'server_error', 'synthesis_failed'],
  ] as const)('%s is a %i of the type %s', (code, http, type, name) => {
    expect(OPENAI_ERROR_SHAPE.statusOf(code)).toBe(http);
    expect(OPENAI_ERROR_SHAPE.nameOf(code)).toBe(name);
    const error = new SpeechError(code, 'Do this.', { param: 'model_id' });
    expect(openAiError(error)).toEqual({
      error: { message: 'Do this.', type, param: 'model', code: name },
    });
  });

  it('name no field where none is at fault', () => {
    const { error } = openAiError(new SpeechError('system_busy', 'Wait.'));
    expect(error).toMatchObject({ param: null });
  });

  it('are client errors and server errors as in the table', () => {
    for (const [code, { http }] of errorTable()) {
      const { statusOf } = OPENAI_ERROR_SHAPE;
      expect(Math.floor(statusOf(code) / 100), code).toBe(Math.floor(http / 100));
    }
  });
});

describe('a stream of events that breaks off', () => {
  it('is an error that the package "openai" throws', async () => {
    const failure = new SpeechError('synthesis_failed', 'It failed.');
    const frame = { audio: Uint8Array.of(1, 2), alignment: undefined, reachedChars: 1 };
    const body = `${SPEECH_EVENTS.frame(frame)}${SPEECH_EVENTS.failure?.(failure)}`;
    const stream = Stream.fromSSEResponse(new Response(body), new AbortController());
    const seen: unknown[] = [];
    const reading = (async () => {
      for await (const event of stream) seen.push(event);
    })();
    await expect(reading).rejects.toThrow(APIError);
    expect(seen).toEqual([{ type: 'speech.audio.delta', audio: 'AQI=' }]);
  });
});
