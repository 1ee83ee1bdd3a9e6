import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { errorTable } from '../../../src/domain/errors.ts';
import { StreamClient } from '../../support/stream-client.ts';
import { KEY, type StreamServer, startStreamServer } from '../../support/stream-server.ts';
import { VOICE_ID } from '../../support/tone-speech.ts';
import { verifies } from '../verifies.ts';

const DOORS = ['stream-input', 'multi-stream-input'];

let server: StreamServer;

beforeAll(async () => {
  server = await startStreamServer({ samplesPerSymbol: 64 });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

describe('any frames at all', () => {
  const CLOSE_CODES = new Map<string, number>(errorTable().map(([code, row]) => [code, row.close]));
  const id = fc.constantFrom('a', 'b', '__proto__', '');
  const oddly = <T>(arbitrary: fc.Arbitrary<T>) =>
    fc.oneof({ weight: 30, arbitrary }, { weight: 1, arbitrary: fc.jsonValue() });
  const frame = fc
    .record(
      {
        text: oddly(fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('', ' ', 'Yes. '))),
        context_id: oddly(id),
        contextId: oddly(id),
        flush: oddly(fc.boolean()),
        close_context: oddly(fc.boolean()),
        try_trigger_generation: oddly(fc.boolean()),
        voice_settings: oddly(fc.constantFrom({}, null, { speed: 1.1 }, { stability: '0.5' })),
        generation_config: oddly(fc.constantFrom({}, null, { chunk_length_schedule: [50] })),
        xi_api_key: oddly(fc.constant('sk_other')),
        [Symbol.toStringTag]: fc.constant('ignored by JSON'),
      },
      { requiredKeys: [] },
    )
    .map((value) => JSON.stringify(value));
  const input = fc.record({
    text: oddly(fc.constantFrom('', ' ', 'Yes. ', '[laughs] No', '[pa', 'use]')),
    voice_id: oddly(fc.constantFrom(VOICE_ID, VOICE_ID, VOICE_ID, 'nobody', '__proto__')),
    new_turn: oddly(fc.boolean()),
  });
  const dialogueFrame = fc
    .record(
      {
        voices: oddly(fc.constantFrom([VOICE_ID], [VOICE_ID], ['nobody'], [])),
        inputs: oddly(fc.array(oddly(input), { maxLength: 3 })),
        context_id: oddly(id),
        flush: oddly(fc.boolean()),
        keep_alive: oddly(fc.boolean()),
        close_context: oddly(fc.boolean()),
        voice_settings: oddly(fc.constantFrom({}, null, { stability: '0.5' })),
      },
      { requiredKeys: [] },
    )
    .map((value) => JSON.stringify(value));
  const messages = (known: fc.Arbitrary<string>) =>
    fc.array(
      fc.oneof(
        { weight: 20, arbitrary: known },
        { weight: 1, arbitrary: fc.json() },
        { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
      ),
      { maxLength: 12 },
    );
  const conversation = (wire: string, known: fc.Arbitrary<string>, ends: readonly object[]) =>
    fc.record({
      address: fc.constantFrom(...DOORS.map((door) => `/v1/${wire}/${door}`)),
      sent: messages(known),
      ends: fc.constant(ends),
    });
  const close = { close_socket: true };
  const conversations = fc.oneof(
    conversation(`text-to-speech/${VOICE_ID}`, frame, [close, { text: '' }]),
    conversation('text-to-dialogue', dialogueFrame, [close]),
  );

  const cartesian = fc
    .record(
      {
        context_id: oddly(id),
        transcript: oddly(
          fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('', ' ', 'Yes. ')),
        ),
        continue: oddly(fc.boolean()),
        flush: oddly(fc.boolean()),
        cancel: oddly(fc.boolean()),
        max_buffer_delay_ms: oddly(fc.constantFrom(0, 1, 5000)),
        add_timestamps: oddly(fc.boolean()),
        voice: oddly(fc.constantFrom(VOICE_ID, null, { mode: 'id', id: VOICE_ID }, { id: '' })),
        output_format: oddly(
          fc.constantFrom(null, {}, { encoding: 'pcm_mulaw', sample_rate: 8000 }),
        ),
        generation_config: oddly(fc.constantFrom({}, null, { speed: 1.1 }, { speed: '9' })),
      },
      { requiredKeys: ['context_id', 'transcript'] },
    )
    .map((value) => JSON.stringify(value));

  verifies('bad:fuzz', 'of Cartesia’s end in the documented way', async () => {
    await fc.assert(
      fc.asyncProperty(messages(cartesian), async (sent) => {
        const client = new StreamClient(`${server.url}/tts/websocket`, { 'x-api-key': KEY });
        await client.opened();
        for (const each of sent) client.socket.send(each);
        // The last message ends the connection, unless one before it did.
        client.socket.send('the end');
        expect((await client.closed).code).toBe(1008);
        expect(client.frames.at(-1)).toMatchObject({ type: 'error', status_code: 400 });
        for (const frame of client.frames) {
          expect(frame).toMatchObject({
            done: expect.any(Boolean),
            status_code: expect.any(Number),
          });
          expect(frame).not.toMatchObject({ error_code: 'internal_error' });
        }
      }),
      { numRuns: 200 },
    );
    await expect.poll(() => server.connections.count).toBe(0);
    await expect.poll(() => server.engine.liveJobs).toBe(0);
  });

  verifies('bad:fuzz', 'end in the documented way', async () => {
    await fc.assert(
      fc.asyncProperty(conversations, async ({ address, sent, ends }) => {
        const client = new StreamClient(server.url + address, { 'xi-api-key': KEY });
        await client.opened();
        for (const each of sent) client.socket.send(each);
        client.send(...ends);
        const { code } = await client.closed;
        const errors = client.frames.filter(({ error }) => error !== undefined);
        const [error] = errors;
        expect(errors.length).toBeLessThanOrEqual(1);
        expect(code).toBe(error ? CLOSE_CODES.get(error.error ?? '') : 1000);
        expect(error?.error).not.toBe('internal_error');
        if (error) expect(client.frames.at(-1)).toBe(error);
      }),
      { numRuns: 600 },
    );
    await expect.poll(() => server.connections.count).toBe(0);
    await expect.poll(() => server.engine.liveJobs).toBe(0);
  });
});
