import { describe, expect, it } from 'vitest';
import { SpeechError } from '../../../../src/domain/errors.ts';
import { readWav } from '../../../../src/synthesis/audio/wav.ts';
import { readTones, ToneEngine } from '../../../support/tone-engine.ts';
import { VOICE_ID } from '../../../support/tone-speech.ts';
import { KEY, openRestServer } from './rest-server.ts';

const TEXT = 'One two. Three four. Five six.';
const PCM = 'output_format=pcm_22050';

interface WireAlignment {
  readonly characters: string[];
  readonly character_start_times_seconds: number[];
  readonly character_end_times_seconds: number[];
}
interface TimedAudio {
  readonly audio_base64: string;
  readonly alignment: WireAlignment | null;
  readonly normalized_alignment: WireAlignment | null;
}

describe('POST /v1/text-to-speech/{voice_id}', () => {
  it('speaks the whole text', async () => {
    const server = openRestServer();
    const response = await server.post(`${VOICE_ID}?${PCM}`, { text: TEXT });
    expect(response.statusCode).toBe(200);
    expect(response.headers).toMatchObject({
      'content-type': 'audio/pcm',
      'content-length': String(response.rawPayload.length),
    });
    expect(readTones(response.rawPayload)).toBe(TEXT);
  });

  it('says in headers what it was and what it cost', async () => {
    const server = openRestServer({ maximumRequests: 5 });
    const { headers } = await server.post(`${VOICE_ID}?${PCM}`, { text: TEXT });
    expect(headers).toMatchObject({
      'request-id': headers['x-trace-id'],
      'history-item-id': 'item-1',
      'character-cost': String(TEXT.length),
      'current-concurrent-requests': '1',
      'maximum-concurrent-requests': '5',
      'workspace-concurrent-requests': '1',
      'tts-latency-ms': expect.stringMatching(/^\d+$/),
    });
  });

  it('makes a WAV file, which is its audio under a header', async () => {
    const server = openRestServer();
    const body = { text: 'Hi.', seed: 1 };
    const wav = await server.post(`${VOICE_ID}?output_format=wav_22050`, body);
    const pcm = await server.post(`${VOICE_ID}?${PCM}`, body);
    expect(wav.headers['content-type']).toBe('audio/wav');
    expect(readWav(wav.rawPayload)).toMatchObject({ sampleRate: 22_050 });
    expect(wav.rawPayload.subarray(44).equals(pcm.rawPayload)).toBe(true);
  });

  it('is mp3 unless something else is asked for', async () => {
    const server = openRestServer();
    const response = await server.post(VOICE_ID, { text: TEXT });
    expect(response.headers['content-type']).toBe('audio/mpeg');
    expect(server.history.items[0]?.draft.format.name).toBe('mp3_44100_128');
    // Every MPEG frame begins with eleven set bits (ISO 11172-3, 2.4.2.3).
    expect(response.rawPayload.readUInt16BE(0) & 0xffe0).toBe(0xffe0);
  });

  it('takes settings as strings, and ignores fields that it does not know', async () => {
    const server = openRestServer();
    const response = await server.post(`${VOICE_ID}?${PCM}&optimize_streaming_latency=`, {
      text: 'Hi.',
      stream: true,
      voice: 'Tone',
      seed: '7',
      previous_text: 'Before.',
      voice_settings: {
        stability: '0.25',
        similarity_boost: '0',
        use_speaker_boost: 1,
        style: null,
        optimize_streaming_latency: '3',
      },
    });
    expect(response.statusCode).toBe(200);
    expect(server.history.items[0]?.draft.settings).toEqual({
      stability: 0.25,
      similarityBoost: 0,
      style: 0,
      useSpeakerBoost: true,
      speed: 1,
    });
  });

  it('reads markup: breaks, and SSML where the text says that it is', async () => {
    const server = openRestServer();
    const text = '<speak>One<break time="1s"/><sub alias="two">2</sub></speak>';
    const [plain, marked] = [
      await server.post(`${VOICE_ID}?${PCM}`, { text: 'Onetwo' }),
      await server.post(`${VOICE_ID}?${PCM}`, { text }),
    ];
    expect(marked.rawPayload.length - plain.rawPayload.length).toBe(2 * 22_050);
    expect(marked.headers['character-cost']).toBe(`${text.length}`);
    const audioMs = Math.round(marked.rawPayload.length / 2 / 22.05);
    expect(server.told.at(-1)).toMatchObject({ data: { audio_duration_ms: audioMs } });
  });

  it('keeps the speech, charges it once, and tells about it', async () => {
    const server = openRestServer();
    const response = await server.post(`${VOICE_ID}?${PCM}`, { text: TEXT });
    expect(server.limits).toMatchObject({ charged: TEXT.length, reserved: 0, current: 0 });
    const [item] = server.history.items;
    expect(item?.audio.equals(response.rawPayload)).toBe(true);
    expect(item?.draft).toMatchObject({
      accountId: 'acme',
      requestId: response.headers['request-id'],
      text: TEXT,
    });
    const audioMs = Math.round(response.rawPayload.length / 2 / 22.05);
    expect(item?.result).toMatchObject({ characters: TEXT.length });
    expect(server.told).toEqual([
      {
        type: 'speech.generated',
        accountId: 'acme',
        data: {
          request_id: response.headers['request-id'],
          history_item_id: 'item-1',
          voice_id: VOICE_ID,
          model_id: 'svc_monolingual_v1',
          output_format: 'pcm_22050',
          character_count: TEXT.length,
          audio_duration_ms: audioMs,
        },
      },
    ]);
  });

  it('keeps nothing when logging is off', async () => {
    const server = openRestServer();
    const response = await server.post(`${VOICE_ID}?${PCM}&enable_logging=false`, { text: TEXT });
    expect(response.statusCode).toBe(200);
    expect(response.headers).not.toHaveProperty('history-item-id');
    expect(server.history.items).toEqual([]);
    expect(server.told).toMatchObject([{ data: { history_item_id: null } }]);
  });

  it('speaks even when the history cannot take it, and says so in the log', async () => {
    const server = openRestServer();
    server.history.isFull = true;
    const response = await server.post(`${VOICE_ID}?${PCM}`, { text: TEXT });
    expect(readTones(response.rawPayload)).toBe(TEXT);
    expect(server.history).toMatchObject({ items: [], abandoned: 1 });
    expect(server.limits).toMatchObject({ charged: TEXT.length, reserved: 0 });
    expect(server.logLines.join('')).toContain('The disk is full.');
  });

  it('never logs what was said', async () => {
    const server = openRestServer();
    await server.post(`${VOICE_ID}?${PCM}`, { text: 'Topsecret.' });
    expect(server.logLines.join('')).not.toContain('Topsecret');
  });
});

describe('POST /v1/text-to-speech/{voice_id}/with-timestamps', () => {
  it('times every character of the text, to the end of the audio', async () => {
    const server = openRestServer();
    const response = await server.post(`${VOICE_ID}/with-timestamps?${PCM}`, { text: TEXT });
    const { audio_base64, alignment, normalized_alignment } = response.json<TimedAudio>();
    const audio = Buffer.from(audio_base64, 'base64');
    expect(readTones(audio)).toBe(TEXT);
    expect(alignment?.characters.join('')).toBe(`${TEXT} `);
    expect(normalized_alignment?.characters.join('').trim()).toContain('One two.');
    const { character_start_times_seconds: starts = [], character_end_times_seconds: ends = [] } =
      alignment ?? {};
    expect(starts[0]).toBe(0);
    expect(starts).toEqual(starts.toSorted((one, other) => one - other));
    expect(ends.slice(0, -1)).toEqual(starts.slice(1));
    expect(ends.at(-1)).toBeCloseTo(audio.length / 2 / 22_050, 3);
    expect(server.history.items[0]?.result.alignments).toEqual({ alignment, normalized_alignment });
  });
});

describe('POST /v1/text-to-speech/{voice_id}/stream', () => {
  it('sends the same bytes as the other route, in pieces', async () => {
    const server = openRestServer();
    const body = { text: TEXT, seed: 3 };
    const whole = await server.post(`${VOICE_ID}?${PCM}`, body);
    const url = await server.listen();
    const response = await fetch(`${url}/v1/text-to-speech/${VOICE_ID}/stream?${PCM}`, {
      method: 'POST',
      headers: { 'xi-api-key': KEY, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(response.headers.get('transfer-encoding')).toBe('chunked');
    expect(response.headers.get('content-type')).toBe('audio/pcm');
    expect(response.headers.get('history-item-id')).toBe('item-2');
    expect(response.headers.get('tts-latency-ms')).toBeNull();
    expect(Buffer.from(await response.arrayBuffer()).equals(whole.rawPayload)).toBe(true);
    expect(server.history.items[1]?.audio.equals(whole.rawPayload)).toBe(true);
    expect(server.limits).toMatchObject({ charged: 2 * TEXT.length, reserved: 0, current: 0 });
  });

  it('does not know how to stream a WAV file', async () => {
    const server = openRestServer();
    const path = `${VOICE_ID}/stream?output_format=wav_22050`;
    const { statusCode, body } = await server.post(path, { text: TEXT });
    expect(statusCode).toBe(403);
    expect(JSON.parse(body).detail).toMatchObject({
      code: 'invalid_output_format',
      param: 'output_format',
      message: expect.stringContaining('pcm_22050'),
    });
  });
});

describe('POST /v1/text-to-speech/{voice_id}/stream/with-timestamps', () => {
  it('sends a line of JSON for each piece, with times from the start of the audio', async () => {
    const server = openRestServer();
    const path = `${VOICE_ID}/stream/with-timestamps?${PCM}`;
    const { body, headers } = await server.post(path, { text: TEXT, seed: 3 });
    expect(headers['content-type']).toBe('application/x-ndjson');
    const lines = body
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as TimedAudio);
    expect(lines.length).toBeGreaterThan(3);
    const audio = Buffer.concat(lines.map((line) => Buffer.from(line.audio_base64, 'base64')));
    expect(readTones(audio)).toBe(TEXT);
    const whole = await server.post(`${VOICE_ID}/with-timestamps?${PCM}`, { text: TEXT, seed: 3 });
    const joined = (key: 'alignment' | 'normalized_alignment') => ({
      characters: lines.flatMap((line) => line[key]?.characters ?? []),
      character_start_times_seconds: lines.flatMap(
        (line) => line[key]?.character_start_times_seconds ?? [],
      ),
      character_end_times_seconds: lines.flatMap(
        (line) => line[key]?.character_end_times_seconds ?? [],
      ),
    });
    expect(joined('alignment')).toEqual(whole.json<TimedAudio>().alignment);
    expect(joined('normalized_alignment')).toEqual(whole.json<TimedAudio>().normalized_alignment);
  });
});

describe('a speech request that is wrong', () => {
  it.each([
    ['no text at all', {}, 'missing', ['body', 'text']],
    ['a list as text', { text: ['a', 'b'] }, 'string_type', ['body', 'text']],
    [
      'stability out of range',
      { text: 'a', voice_settings: { stability: 2 } },
      'less_than_equal',
      ['body', 'voice_settings', 'stability'],
    ],
    ['a seed that is no number', { text: 'a', seed: 'x' }, undefined, ['body', 'seed']],
    [
      'a locator without id',
      { text: 'a', pronunciation_dictionary_locators: [{}] },
      'missing',
      ['body', 'pronunciation_dictionary_locators', 0, 'pronunciation_dictionary_id'],
    ],
    [
      'an unknown normalisation',
      { text: 'a', apply_text_normalization: 'perhaps' },
      'enum',
      ['body', 'apply_text_normalization'],
    ],
  ])('is told of %s', async (_what, body, type, loc) => {
    const server = openRestServer();
    const response = await server.post(VOICE_ID, body);
    expect(response.statusCode).toBe(422);
    expect(response.json().detail).toEqual([
      expect.objectContaining({ ...(type && { type }), loc, msg: expect.any(String) }),
    ]);
  });

  it.each([
    ['key', 401, 'invalid_api_key', VOICE_ID, { text: '' }, { 'xi-api-key': 'wrong' }],
    ['format', 403, 'invalid_output_format', `${VOICE_ID}?output_format=x`, { text: '' }, {}],
    [
      'tier',
      403,
      'output_format_not_allowed',
      `${VOICE_ID}?output_format=pcm_44100`,
      { text: '' },
      {},
    ],
    ['text', 400, 'empty_text', 'nobody', { text: ' ', seed: -1 }, {}],
    ['seed', 400, 'invalid_parameters', 'nobody', { text: 'a', seed: -1 }, {}],
    ['voice', 404, 'voice_not_found', 'nobody', { text: 'a' }, {}],
    ['speakable text', 400, 'empty_text', VOICE_ID, { text: '…!?' }, {}],
    ['text between tags', 400, 'empty_text', VOICE_ID, { text: '<p>…</p>' }, {}],
  ])('is refused at its %s', async (_what, http, status, path, body, headers) => {
    const server = openRestServer();
    for (const suffix of ['', '/stream', '/with-timestamps', '/stream/with-timestamps']) {
      const response = await server.post(path.replace(/(?=\?|$)/, suffix), body, headers);
      expect(response.statusCode).toBe(http);
      expect(response.json().detail).toMatchObject({
        status,
        request_id: response.headers['x-trace-id'],
      });
      expect(response.headers).not.toHaveProperty('request-id');
    }
    expect(server.limits).toMatchObject({ charged: 0, reserved: 0, current: 0 });
  });

  it('is refused by name when it is far too long', async () => {
    const server = openRestServer();
    const long = await server.post(VOICE_ID, { text: 'a'.repeat(200_000) });
    expect(long.statusCode).toBe(400);
    expect(long.json().detail).toMatchObject({
      code: 'text_too_long',
      status: 'max_character_limit_exceeded',
    });
    const longer = await server.post(VOICE_ID, { text: 'a'.repeat(300_000) });
    expect(longer.statusCode).toBe(413);
    expect(longer.json().detail.code).toBe('message_too_big');
  });

  it('is told when to come again when too many are spoken at once', async () => {
    const server = openRestServer({ maximumRequests: 0 });
    const response = await server.post(`${VOICE_ID}?${PCM}`, { text: TEXT });
    expect(response.statusCode).toBe(429);
    expect(response.headers).toMatchObject({
      'retry-after': '1',
      'current-concurrent-requests': '0',
      'maximum-concurrent-requests': '0',
    });
    expect(server.limits).toMatchObject({ charged: 0, reserved: 0, current: 0 });
  });

  it('gives its slot back when no characters are left', async () => {
    const server = openRestServer({ characters: TEXT.length - 1 });
    const response = await server.post(`${VOICE_ID}?${PCM}`, { text: TEXT });
    expect(response.json().detail.status).toBe('quota_exceeded');
    expect(server.limits).toMatchObject({ charged: 0, reserved: 0, current: 0 });
  });

  it('gives everything back when the history cannot begin', async () => {
    const history = { begin: () => Promise.reject(new Error('The database is gone.')) };
    const server = openRestServer({ history });
    const response = await server.post(`${VOICE_ID}?${PCM}`, { text: TEXT });
    expect(response.statusCode).toBe(500);
    expect(server.limits).toMatchObject({ charged: 0, reserved: 0, current: 0 });
  });

  it.each(['', '/stream', '/with-timestamps', '/stream/with-timestamps'])(
    'costs nothing when the first sound of %j fails',
    async (suffix) => {
      const server = openRestServer({ engine: new ToneEngine({ failOn: 'O' }) });
      const response = await server.post(`${VOICE_ID}${suffix}?${PCM}`, { text: TEXT });
      expect(response.statusCode).toBe(500);
      expect(response.json().detail).toMatchObject({ type: 'internal_error' });
      expect(response.headers).not.toHaveProperty('history-item-id');
      expect(server.limits).toMatchObject({ charged: 0, reserved: 0, current: 0 });
      expect(server.history).toMatchObject({ items: [], abandoned: 1 });
      expect(server.told).toEqual([]);
    },
  );

  it('costs nothing when a later sound fails and none was sent', async () => {
    const server = openRestServer({ engine: new ToneEngine({ failOn: 'F' }) });
    const response = await server.post(`${VOICE_ID}?${PCM}`, { text: TEXT });
    expect(response.statusCode).toBe(500);
    expect(server.limits).toMatchObject({ charged: 0, reserved: 0, current: 0 });
  });

  it('names a dictionary that is not there', async () => {
    const server = openRestServer({
      speech: {
        findDictionaries: async (_caller, [locator]) => {
          throw new SpeechError('not_found', `There is no dictionary ${locator?.dictionaryId}.`);
        },
      },
    });
    const response = await server.post(`${VOICE_ID}?${PCM}`, {
      text: TEXT,
      pronunciation_dictionary_locators: [{ pronunciation_dictionary_id: 'lost' }],
    });
    expect(response.statusCode).toBe(404);
    expect(response.json().detail.message).toContain('lost');
  });
});
