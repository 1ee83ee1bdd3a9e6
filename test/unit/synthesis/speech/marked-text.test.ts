import { beforeAll, describe, expect, it, vi } from 'vitest';
import { parseOutputFormat } from '../../../../src/domain/audio.ts';
import { countCharacters } from '../../../../src/domain/characters.ts';
import { DEFAULT_VOICE_SETTINGS } from '../../../../src/domain/voice.ts';
import { prepareCodecs } from '../../../../src/synthesis/audio/codec.ts';
import { speechStyle } from '../../../../src/synthesis/speech/speech-style.ts';
import { type SpokenFrame, TextReader } from '../../../../src/synthesis/speech/text-reader.ts';
import { FrontEnd } from '../../../../src/synthesis/text/front-end.ts';
import { normaliserFor } from '../../../../src/synthesis/text/normaliser/registry.ts';
import { LetterPhonemiser } from '../../../support/letter-phonemiser.ts';
import { ToneEngine } from '../../../support/tone-engine.ts';
import { toneSpeaker, VOICE } from '../../../support/tone-speech.ts';

/** Of the engine: of a symbol. */
const SYMBOL_SAMPLES = 1024;
const RATE = 22_050;

beforeAll(prepareCodecs);

async function read(text: string, formatName = 'pcm_22050', isSsml = false) {
  const engine = new ToneEngine();
  const synthesise = vi.spyOn(engine, 'synthesise');
  const charged: number[] = [];
  const format = parseOutputFormat(formatName);
  const style = speechStyle(
    { format, latencyLevel: 0, seed: 1, normalise: true, alignment: 'chunk', isSsml },
    { voice: VOICE, settings: DEFAULT_VOICE_SETTINGS },
  );
  const frontEnd = new FrontEnd(new LetterPhonemiser(), normaliserFor);
  const reader = new TextReader([{ text, style }], {
    speaker: toneSpeaker(engine, { frontEnd }),
    accountId: 'a',
    meter: {
      enter: async ({ characters }) => {
        charged.push(characters);
        return { hear: () => undefined, end: async () => undefined };
      },
    },
    onSpoken: () => undefined,
  });
  const frames: SpokenFrame[] = [];
  for await (const frame of reader.frames(new AbortController().signal)) frames.push(frame);
  const audio = Buffer.concat(frames.map((frame) => frame.audio));
  const alignments = frames.flatMap(({ alignment }) => alignment ?? []);
  const requests = synthesise.mock.calls.map(([request]) => request);
  return { audio, alignments, charged, requests, said: engine.spoken.join(''), format };
}

/** Where 16-bit audio is silent for at least 20 ms, in samples. */
function silences(audio: Buffer, rate: number): ReadonlyArray<readonly [number, number]> {
  const found: Array<readonly [number, number]> = [];
  let start = 0;
  for (let index = 0; index <= audio.length / 2; index++) {
    const isSilent = index < audio.length / 2 && audio.readInt16LE(index * 2) === 0;
    if (isSilent) continue;
    if (index - start >= rate / 50) found.push([start, index]);
    start = index + 1;
  }
  return found;
}

describe('text with markup', () => {
  it('is silent for exactly as long as a break asks', async () => {
    const { audio, said, charged } = await read('One.<break time="1s"/> Two.');
    expect(said).toBe('One. Two.');
    expect(audio.length / 2).toBe(9 * SYMBOL_SAMPLES + RATE);
    const [silence, ...others] = silences(audio, RATE);
    expect(others).toEqual([]);
    // The tones on either side begin and end with a sample of zero.
    expect(Math.abs((silence?.[1] ?? 0) - (silence?.[0] ?? 0) - RATE)).toBeLessThan(3);
    expect(charged.reduce((sum, characters) => sum + characters, 0)).toBe(
      countCharacters('One.<break time="1s"/> Two.'),
    );
  });

  it.each([
    ['pcm_8000', 'One.<break time="0.5s"/>', 500],
    ['pcm_8000', '<break time="1s"/>One.', 1000],
    ['pcm_48000', '<break time="200ms"/>On<break time="9s"/>e.', 3200],
    ['pcm_22050', '<break time="1s"/><break time="1s"/>One.', 2000],
  ])('adds to %s of %j so many milliseconds: %d', async (formatName, text, pauseMs) => {
    const { audio, format } = await read(text, formatName);
    const spokenMs = ((4 * SYMBOL_SAMPLES) / RATE) * 1000;
    const ms = (audio.length / 2 / format.sampleRate) * 1000;
    expect(Math.abs(ms - spokenMs - pauseMs)).toBeLessThan(0.5);
  });

  it.each(['ulaw_8000', 'mp3_44100_128', 'opus_48000_64'])(
    'begins with a pause in %s, before the rate of the engine is known',
    async (formatName) => {
      const [with_, without] = [
        await read('<break time="1s"/>One.', formatName),
        await read('One.', formatName),
      ];
      expect(with_.audio.length).toBeGreaterThan(without.audio.length);
      expect(with_.said).toBe('One.');
    },
  );

  it('is nothing but silence where nothing else is asked for', async () => {
    const { audio, alignments } = await read('<break time="1s"/>', 'pcm_16000');
    expect(audio.equals(Buffer.alloc(32_000))).toBe(true);
    expect(alignments.map(({ original }) => original.chars.join(''))).toEqual([
      '<break time="1s"/>',
    ]);
  });

  it('gives every character that was written its time, and tags none but that of their pause', async () => {
    const text = 'A <b>bold</b> one.<break time="1s"/> Two.';
    const { alignments, audio } = await read(text);
    const originals = alignments.map(({ original }) => original);
    expect(originals.map(({ chars }) => chars.join(''))).toEqual([
      'A <b>bold</b> one. ',
      '<break time="1s"/>',
      'Two. ',
    ]);
    expect(alignments.map(({ spoken }) => spoken.chars.join(''))).toEqual([
      ' A bold one. ',
      ' ',
      ' Two. ',
    ]);
    const sum = (durations: readonly number[]) => durations.reduce((total, ms) => total + ms, 0);
    const totalMs = (audio.length / 2 / RATE) * 1000;
    const durations = originals.flatMap(({ charDurationsMs }) => charDurationsMs);
    expect(sum(durations)).toBeCloseTo(totalMs, 0);
    expect(sum(originals[1]?.charDurationsMs ?? [])).toBe(1000);
    expect(originals[0]?.charDurationsMs.slice(2, 5)).toEqual([0, 0, 0]);
    expect(sum(alignments.flatMap(({ spoken }) => spoken.charDurationsMs))).toBe(sum(durations));
  });

  it('speaks what SSML says in place of what is written', async () => {
    const text =
      '<speak>The <sub alias="web">WWW</sub> <phoneme alphabet="ipa" ph="æbk">xyz</phoneme> ' +
      '<phoneme alphabet="cmu-arpabet" ph="B AH0">q</phoneme> &amp; <emphasis>you</emphasis>.</speak>';
    const { said, alignments } = await read(text);
    expect(said).toBe('The web æbk bə and you.');
    expect(
      alignments
        .map(({ original }) => original.chars.join(''))
        .join('')
        .trim(),
    ).toBe(text);
  });

  it('speaks as fast as SSML asks, and only what it asks for', async () => {
    const { requests } = await read(
      'Now <prosody rate="80%">slow</prosody> again.',
      'pcm_22050',
      true,
    );
    expect(requests.map(({ prosody }) => prosody.pace)).toEqual([1, 0.8, 1]);
  });
});
