import { describe, expect, it, vi } from 'vitest';
import { ANNA, BEN, findDialogueVoice } from '../../../support/dialogue-voices.ts';
import { readTones } from '../../../support/tone-engine.ts';
import { openRestServer } from '../rest-speech/rest-server.ts';

const PCM = 'output_format=pcm_22050';
const INPUTS = [
  { text: 'Are you there? Anna here.', voice_id: ANNA },
  { text: '[laughs] Yes.', voice_id: BEN },
  { text: 'Good.', voice_id: ANNA },
];
const WRITTEN = 25 + 13 + 5;

const open = (options: Parameters<typeof openRestServer>[0] = {}) =>
  openRestServer({ ...options, speech: { findVoice: findDialogueVoice } });

interface TimedDialogue {
  readonly audio_base64: string;
  readonly alignment: { readonly characters: string[] } | null;
  readonly voice_segments: ReadonlyArray<{
    readonly voice_id: string;
    readonly start_time_seconds: number;
    readonly end_time_seconds: number;
    readonly character_start_index: number;
    readonly character_end_index: number;
    readonly dialogue_input_index: number;
  }>;
}

describe('POST /v1/text-to-dialogue', () => {
  it('speaks all lines, each with its voice, as one piece of audio', async () => {
    const server = open();
    const synthesise = vi.spyOn(server.engine, 'synthesise');
    const body = { inputs: INPUTS, settings: { stability: 0.3 }, seed: 7 };
    const response = await server.post(`/v1/text-to-dialogue?${PCM}`, body);
    expect(response.statusCode).toBe(200);
    expect(response.headers['character-cost']).toBe(String(WRITTEN));
    expect(readTones(response.rawPayload).replaceAll(' ', '')).toBe(
      'Areyouthere?Annahere.Yes.Good.',
    );
    expect(synthesise.mock.calls.map(([{ speaker }]) => speaker)).toEqual([1, 1, 2, 1]);
    const again = await server.post(`/v1/text-to-dialogue/stream?${PCM}`, body);
    expect(again.rawPayload.equals(response.rawPayload)).toBe(true);
  });

  it('is kept and charged as one text', async () => {
    const server = open();
    await server.post(`/v1/text-to-dialogue?${PCM}`, { inputs: INPUTS });
    expect(server.limits).toMatchObject({ charged: WRITTEN, reserved: 0, current: 0 });
    expect(server.history.items[0]).toMatchObject({
      draft: {
        text: 'Are you there? Anna here.\n[laughs] Yes.\nGood.',
        voice: { voiceId: ANNA },
        model: { modelId: 'svc_expressive_v1' },
      },
      result: { characters: WRITTEN },
    });
    expect(server.told).toMatchObject([{ data: { character_count: WRITTEN, voice_id: ANNA } }]);
  });

  it('says who speaks when', async () => {
    const server = open();
    const path = `/v1/text-to-dialogue/with-timestamps?${PCM}`;
    const response = await server.post(path, { inputs: INPUTS });
    const { alignment, voice_segments, audio_base64 } = response.json<TimedDialogue>();
    expect(voice_segments.map((segment) => segment.voice_id)).toEqual([ANNA, BEN, ANNA]);
    expect(voice_segments.map((segment) => segment.dialogue_input_index)).toEqual([0, 1, 2]);
    const said = voice_segments.map((segment) =>
      alignment?.characters
        .slice(segment.character_start_index, segment.character_end_index)
        .join('')
        .trim(),
    );
    expect(said).toEqual(INPUTS.map(({ text }) => text));
    const edges = voice_segments.flatMap((each) => [
      each.start_time_seconds,
      each.end_time_seconds,
    ]);
    expect(edges).toEqual(edges.toSorted((one, other) => one - other));
    const audioS = Buffer.from(audio_base64, 'base64').length / 2 / 22_050;
    expect(edges.at(0)).toBe(0);
    expect(Math.abs((edges.at(-1) ?? 0) - audioS)).toBeLessThan(0.002);
  });

  it('says in each line of a stream who speaks in it', async () => {
    const server = open();
    const path = `/v1/text-to-dialogue/stream/with-timestamps?output_format=mp3_44100_128`;
    const response = await server.post(path, { inputs: INPUTS });
    const lines = response.body.trim().split('\n');
    const said: string[] = INPUTS.map(() => '');
    for (const line of lines) {
      const { alignment, voice_segments } = JSON.parse(line) as TimedDialogue;
      for (const segment of voice_segments) {
        const { character_start_index: start, character_end_index: end } = segment;
        const before = said[segment.dialogue_input_index] ?? '';
        const here = alignment?.characters.slice(start, end).join('') ?? '';
        said[segment.dialogue_input_index] = before + here;
      }
    }
    expect(lines.length).toBeGreaterThan(3);
    expect(said.map((text) => text.trim())).toEqual(INPUTS.map(({ text }) => text));
  });

  it.each([
    ['an unknown voice', [...INPUTS, { text: 'Who?', voice_id: 'nobody' }], 404],
    ['a missing voice', [{ text: 'Who?' }], 422],
    ['no lines', [], 422],
    ['lines without a word', [{ text: '[laughs]', voice_id: ANNA }], 400],
    [
      'too much text',
      [
        { text: 'a'.repeat(6000), voice_id: ANNA },
        { text: 'b'.repeat(6000), voice_id: BEN },
      ],
      400,
    ],
    [
      'too many voices',
      Array.from({ length: 11 }, (_, n) => ({ text: 'a', voice_id: `v${n}` })),
      400,
    ],
  ])('refuses %s before anything is charged', async (_what, inputs, status) => {
    const server = open();
    const response = await server.post(`/v1/text-to-dialogue?${PCM}`, { inputs });
    expect(response.statusCode).toBe(status);
    expect(server.limits).toMatchObject({ charged: 0, reserved: 0, current: 0 });
    expect(server.engine.spoken).toEqual([]);
  });

  it('speaks a line without a word in a dialogue that has some', async () => {
    const server = open();
    const inputs = [{ text: '[sighs]', voice_id: ANNA }, ...INPUTS];
    const response = await server.post(`/v1/text-to-dialogue?${PCM}`, { inputs });
    expect(response.statusCode).toBe(200);
    expect(server.limits.charged).toBe(WRITTEN + 7);
  });

  it('needs characters for all lines together', async () => {
    const server = open({ characters: 30 });
    const response = await server.post(`/v1/text-to-dialogue?${PCM}`, { inputs: INPUTS });
    expect(response.statusCode).toBe(401);
    expect(response.json()).toMatchObject({ detail: { code: 'quota_exceeded' } });
    expect(server.limits.charged).toBe(0);
  });
});

describe('a model with audio tags', () => {
  it('does not read them aloud, where other models do', async () => {
    const server = open();
    const body = { text: 'Well [sighs] yes.' };
    await server.post(`${ANNA}?${PCM}`, { ...body, model_id: 'eleven_v3' });
    expect(server.engine.spoken.join('')).toBe('Well  yes.');
    server.engine.spoken.length = 0;
    await server.post(`${ANNA}?${PCM}`, { ...body, model_id: 'eleven_multilingual_v2' });
    expect(server.engine.spoken.join('')).toBe('Well [sighs] yes.');
  });
});
