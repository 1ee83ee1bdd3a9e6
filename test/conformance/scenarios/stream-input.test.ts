import { afterEach, beforeEach, describe, expect, vi } from 'vitest';
import { StreamClient } from '../../support/stream-client.ts';
import { KEY, type StreamServer, startStreamServer } from '../../support/stream-server.ts';
import { VOICE_ID } from '../../support/tone-speech.ts';
import { verifies } from '../verifies.ts';

const FINAL = {
  audio: null,
  isFinal: true,
  alignment: null,
  normalizedAlignment: null,
  'x-trace-id': expect.any(String),
};
let server: StreamServer;

beforeEach(async () => {
  server = await startStreamServer();
});
afterEach(async () => {
  await server[Symbol.asyncDispose]();
});

async function connect(query = ''): Promise<StreamClient> {
  const url = `${server.url}/v1/text-to-speech/${VOICE_ID}/stream-input?${query}`;
  const client = new StreamClient(url, { 'xi-api-key': KEY });
  await client.opened();
  return client;
}

/** Sends frames, ends the input, and returns the client once the server has closed. */
async function speak(query: string, ...frames: readonly unknown[]): Promise<StreamClient> {
  const client = await connect(query);
  client.send(...frames, { text: '' });
  await client.closed;
  return client;
}

const spoken = () => server.engine.spoken.join('');
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

describe('stream-input', () => {
  verifies('stream:silent-before-text', 'says nothing until it has text', async () => {
    const client = await connect();
    client.send({ text: ' ' });
    await pause(100);
    expect(client.frames).toEqual([]);
    client.socket.close();
  });

  verifies('stream:any-first-text', 'takes real text in the first frame', async () => {
    await speak('', {
      text: 'Straight away.',
      voice_settings: { stability: 0.5 },
    });
    expect(spoken()).toBe('Straight away.');
  });

  verifies('stream:settings-late', 'takes settings of the voice until it speaks', async () => {
    const synthesise = vi.spyOn(server.engine, 'synthesise');
    await speak(
      '',
      { text: 'Half a ', voice_settings: { speed: 0.8 } },
      { text: 'sentence', voice_settings: { speed: 1.1 } },
    );
    expect(synthesise.mock.calls.map(([{ prosody }]) => prosody.pace)).toEqual([1.1]);
  });

  verifies('stream:settings-empty', 'takes empty, null and unknown settings', async () => {
    for (const voiceSettings of [{}, null, { unheard_of: 1 }, { stability: null }]) {
      const client = await speak(
        '',
        { text: ' ', voice_settings: voiceSettings, x: 1 },
        { text: 'Yes.' },
      );
      expect(client.frames.at(-1)).toEqual(FINAL);
    }
    expect(spoken()).toBe('Yes.Yes.Yes.Yes.');
  });

  verifies(
    ['stream:settings-repeat', 'stream:settings-change'],
    'holds settings to what they were',
    async () => {
      const calm = { voice_settings: { stability: 0.8 } };
      await speak(
        '',
        { text: ' ', ...calm },
        { text: 'One. ', ...calm },
        { text: 'Two.', ...calm },
      );
      expect(spoken()).toBe('One. Two.');
      const client = await connect();
      client.send({ text: ' ', ...calm }, { text: 'One. ' });
      await client.until(({ audio }) => Boolean(audio));
      client.send({ text: 'Two.', voice_settings: { stability: 0.1 } });
      expect(await client.closed).toMatchObject({
        code: 1008,
        reason: expect.stringContaining('must be provided in the first message'),
      });
      expect(client.frames.at(-1)).toMatchObject({
        error: 'invalid_input_message',
        code: 1008,
      });
    },
  );

  verifies('stream:flush', 'speaks an unfinished sentence when it is flushed', async () => {
    const client = await connect();
    client.send({ text: 'no end in sight', flush: true });
    await client.until(({ audio }) => Boolean(audio));
    expect('no end in sight').toContain(spoken());
    client.socket.close();
  });

  verifies('stream:flush-empty', 'an empty flush does not end the input', async () => {
    const client = await connect();
    client.send(
      { text: 'first part' },
      { text: '', flush: true },
      { text: ' and the rest.' },
      { text: '' },
    );
    await client.closed;
    expect(spoken()).toBe('first part and the rest.');
  });

  verifies(
    ['stream:end', 'stream:final', 'stream:end-repeated', 'stream:four-keys'],
    'ends with the rest, one final frame, and 1000',
    async () => {
      const client = await connect();
      client.send(
        { text: 'All of it' },
        { text: '', flush: true },
        { text: '' },
        { text: '' },
        { text: 'late' },
      );
      expect(await client.closed).toEqual({ code: 1000, reason: '' });
      expect(spoken()).toBe('All of it');
      expect(client.frames.at(-1)).toEqual(FINAL);
      expect(client.frames.filter(({ isFinal }) => isFinal)).toHaveLength(1);
      for (const frame of client.frames) {
        expect(Object.keys(frame).sort()).toEqual(Object.keys(FINAL).sort());
      }
    },
  );

  verifies('stream:end-without-text', 'ends well when nothing was said', async () => {
    const client = await speak('', { text: ' ' });
    expect(client.frames).toEqual([FINAL]);
    expect(await client.closed).toEqual({ code: 1000, reason: '' });
  });

  verifies('stream:inactivity-speaks', 'speaks what is held before it gives up', async () => {
    const client = await connect('inactivity_timeout=1');
    client.send({ text: 'Held words ' });
    expect((await client.closed).code).toBe(1008);
    const written = client.frames.flatMap(({ alignment }) => alignment?.chars ?? []).join('');
    expect(written.trim()).toBe('Held words');
    expect(client.frames.at(-1)?.error).toBe('input_timeout_exceeded');
  });

  verifies(
    ['stream:keep-alive', 'query:inactivity'],
    'a space keeps the connection, silence ends it',
    async () => {
      const client = await connect('inactivity_timeout=1');
      client.send({ text: ' ' });
      await pause(700);
      client.send({ text: ' ' });
      await pause(700);
      expect(client.socket.readyState).toBe(client.socket.OPEN);
      const closed = await client.closed;
      expect(closed.code).toBe(1008);
      expect(client.frames).toEqual([
        expect.objectContaining({
          error: 'input_timeout_exceeded',
          code: 1008,
        }),
      ]);
      expect(spoken()).toBe('');
    },
  );

  verifies('stream:auto-mode', 'auto_mode does not wait for a sentence', async () => {
    const client = await connect('auto_mode=true');
    client.send({ text: 'a phrase without an end ' });
    await client.until(({ audio }) => Boolean(audio));
    client.socket.close();
  });

  verifies(
    'stream:trigger',
    'try_trigger_generation speaks what is long enough, and nothing shorter',
    async () => {
      const client = await connect();
      client.send({ text: 'too short ', try_trigger_generation: true });
      await pause(100);
      expect(client.frames).toEqual([]);
      client.send({
        text: 'and now there is certainly enough of it to be worth a clip ',
        try_trigger_generation: true,
      });
      await client.until(({ audio }) => Boolean(audio));
      client.socket.close();
    },
  );

  verifies(
    'stream:schedule',
    'chunk_length_schedule speaks once that many characters wait',
    async () => {
      const client = await connect();
      client.send(
        { text: ' ', generation_config: { chunk_length_schedule: [50] } },
        { text: 'word '.repeat(8) },
      );
      await pause(100);
      expect(client.frames).toEqual([]);
      client.send({ text: 'word '.repeat(8) });
      await client.until(({ audio }) => Boolean(audio));
      client.socket.close();
    },
  );

  verifies(
    ['stream:whole-text', 'stream:frame-size'],
    'speaks all text once, in order, however it is cut',
    async () => {
      const text = 'First we say this, then that. “Quoted?” Yes! 3.14 is not 3. And so on, '.repeat(
        6,
      );
      for (const size of [1, 7, 1000]) {
        server.engine.spoken.length = 0;
        const pieces = text.match(new RegExp(`.{1,${size}}`, 'gs')) ?? [];
        const client = await speak('', ...pieces.map((piece) => ({ text: piece })));
        expect(spoken().replace(/\s+/g, ' ').trim()).toBe(text.trim());
        for (const { audio } of client.frames) expect((audio ?? '').length).toBeLessThan(2 ** 20);
      }
    },
  );
});

describe('alignment', () => {
  verifies(
    ['align:first-frame', 'align:integers', 'align:original-text', 'align:chunk-relative'],
    'comes with the first frame of each chunk, in whole milliseconds from its start',
    async () => {
      const client = await speak('', { text: 'One is here. ' }, { text: 'Two is there.' });
      const aligned = client.frames.filter(({ alignment }) => alignment);
      expect(aligned.map(({ alignment }) => alignment?.chars.join(''))).toEqual([
        'One is here. ',
        'Two is there. ',
      ]);
      expect(client.frames.filter(({ audio }) => audio).length).toBeGreaterThan(aligned.length);
      for (const { alignment, normalizedAlignment } of aligned) {
        expect(alignment?.charStartTimesMs[0]).toBe(0);
        for (const times of [alignment, normalizedAlignment]) {
          const { chars = [], charStartTimesMs = [], charDurationsMs = [] } = times ?? {};
          expect(charStartTimesMs).toHaveLength(chars.length);
          expect(charDurationsMs).toHaveLength(chars.length);
          for (const time of [...charStartTimesMs, ...charDurationsMs])
            expect(Number.isInteger(time)).toBe(true);
        }
      }
    },
  );
});
