import { afterAll, beforeAll, beforeEach, describe, expect, vi } from 'vitest';
import { StreamClient } from '../../support/stream-client.ts';
import { KEY, type StreamServer, startStreamServer } from '../../support/stream-server.ts';
import { VOICE_ID } from '../../support/tone-speech.ts';
import { verifies } from '../verifies.ts';

let server: StreamServer;

beforeAll(async () => {
  server = await startStreamServer();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
});
beforeEach(() => {
  server.engine.spoken.length = 0;
  vi.restoreAllMocks();
});

const spoken = () => server.engine.spoken.join('');
const SAMPLE_RATE = 16_000;

function connect(door: string, query: string): StreamClient {
  const url = `${server.url}/v1/text-to-speech/${VOICE_ID}/${door}?output_format=pcm_16000&${query}`;
  return new StreamClient(url, { 'xi-api-key': KEY });
}

/** Sends fragments on stream-input, and returns all that came back once the connection closed. */
async function speak(fragments: readonly string[], query = '') {
  const client = connect('stream-input', query);
  await client.opened();
  client.send(...fragments.map((text) => ({ text })), { text: '' });
  const { code } = await client.closed;
  const audio = Buffer.concat(
    client.frames.map(({ audio: encoded }) => Buffer.from(encoded ?? '', 'base64')),
  );
  const text = client.frames.flatMap(({ alignment }) => alignment?.chars ?? []).join('');
  return { client, code, text, audioMs: (audio.length / 2 / SAMPLE_RATE) * 1000 };
}

describe('markup', () => {
  verifies('markup:break', 'is silent for as long as a break asks, without a flag', async () => {
    const plain = await speak(['One. Two.']);
    const { code, text, audioMs, client } = await speak(['One.<break time="1s"/> Two.']);
    expect(code).toBe(1000);
    expect(Math.abs(audioMs - plain.audioMs - 1000)).toBeLessThan(20);
    expect(text).toContain('<break time="1s"/>');
    const durations = client.frames.flatMap(({ alignment }) => alignment?.charDurationsMs ?? []);
    expect(Math.abs(durations.reduce((sum, duration) => sum + duration, 0) - audioMs)).toBeLessThan(
      20,
    );
    const longest = await speak(['One.<break time="10s"/> Two.']);
    expect(Math.abs(longest.audioMs - plain.audioMs - 3000)).toBeLessThan(20);
  });

  verifies(['markup:split', 'markup:break'], 'joins the parts of a tag', async () => {
    const plain = await speak(['One. Two.']);
    for (const query of ['', 'auto_mode=true', 'optimize_streaming_latency=3']) {
      server.engine.spoken.length = 0;
      const { audioMs } = await speak(['One. ', '<bre', 'ak time', '="1', 's"/', '>Two.'], query);
      expect(spoken().replaceAll(' ', '')).toBe('One.Two.');
      expect(audioMs).toBeGreaterThan(plain.audioMs + 800);
    }
  });

  verifies('markup:unspoken', 'reads no tag aloud', async () => {
    await speak(['<p>A <b>bold</b> ', '<em class="x">one</e', 'm>.</p>']);
    expect(spoken().trim()).toBe('A bold one.');
  });

  verifies('markup:signs', 'does not swallow signs of ordinary text', async () => {
    const text = 'I <3 it, as a < b and x<y or b > c, <';
    await speak([text]);
    expect(spoken()).toBe(text);
  });

  verifies('markup:ssml', 'reads SSML where it is asked for', async () => {
    const synthesise = vi.spyOn(server.engine, 'synthesise');
    const ssml =
      'The <sub alias="web">WWW</sub> &amp; <phoneme ph="æbk">x</phoneme> ' +
      '<say-as interpret-as="digits">42</say-as> <prosody rate="80%">slow.</prosody>';
    const half = ssml.length / 2;
    await speak([ssml.slice(0, half), ssml.slice(half)], 'enable_ssml_parsing=true');
    expect(spoken()).toBe('The web & æbk four two slow.');
    expect(synthesise.mock.calls.map(([{ prosody }]) => prosody.pace)).toEqual([1, 0.8]);
    server.engine.spoken.length = 0;
    await speak([`<speak>${ssml}</speak>`]);
    expect(spoken()).toBe('The web & æbk four two slow.');
    server.engine.spoken.length = 0;
    await speak([ssml]);
    expect(spoken()).toBe('The WWW &amp; x 42 slow.');
  });

  verifies(
    ['markup:hostile', 'markup:signs'],
    'speaks malformed markup as text, context by context',
    async () => {
      const client = connect('multi-stream-input', 'enable_ssml_parsing=1');
      await client.opened();
      const shapes = [
        '<a <a <a one',
        '</speak></prosody>one',
        '<sub alias="x">one',
        '<break time="one',
        '<say-as>one</sub></say-as>',
        '<phoneme alphabet="x" ph="!">one</phoneme>',
        `<${'a'.repeat(5000)}> one`,
        '&&#xffffff;&one;',
      ];
      for (const [index, text] of shapes.entries()) {
        server.engine.spoken.length = 0;
        const contextId = `c${index}`;
        client.send({ text, context_id: contextId, flush: true });
        client.send({ context_id: contextId, close_context: true });
        await client.until((frame) => frame.contextId === contextId && frame.isFinal === true);
        expect(spoken()).toContain('one');
      }
      expect(client.frames.filter(({ error }) => error)).toEqual([]);
      client.socket.close();
    },
  );
});
