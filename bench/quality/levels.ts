import { readFileSync } from 'node:fs';
import { hear } from '../../test/support/hear.ts';
import { StreamClient } from '../../test/support/stream-client.ts';
import { countWordErrors } from '../../test/support/word-errors.ts';
import { type Bench, type Job, LEVELS } from '../latency/bench.ts';
import { printTable, round } from '../latency/report.ts';
import type { SpeechTarget } from '../latency/speech-socket.ts';

const BYTES_PER_SECOND = 8_000;
const SENTENCES = new URL('../../test/fixtures/text/agent-sentences.txt', import.meta.url);

/**
 * What each latency level costs in quality: words that a recogniser mishears over the phone, and
 * the pauses that joints between chunks add to the speech.
 */
export const quality: Job = async ({ target }: Bench) => {
  const rows = [];
  for (const level of LEVELS) rows.push(await measure(target(level), level));
  const [whole] = rows;
  printTable(
    'Quality by level, ulaw_8000, sentences of phone agents streamed word by word',
    rows.map(({ level, words, errors, chunks, seconds }) => ({
      level,
      words,
      'word errors, %': round((100 * errors) / words, 1),
      'chunks a sentence': round(chunks, 1),
      'longer than level 0, %': round(100 * (seconds / (whole?.seconds ?? seconds) - 1), 1),
    })),
  );
  return rows;
};

async function measure(target: SpeechTarget, level: number) {
  const sentences = readFileSync(SENTENCES, 'utf8').trim().split('\n');
  const row = { level, words: 0, errors: 0, chunks: 0, seconds: 0 };
  for (const [seed, sentence] of sentences.entries()) {
    const client = await speak(target, sentence, seed);
    const { errors, words } = countWordErrors(sentence, await hear(client.audio()));
    row.words += words;
    row.errors += errors;
    row.chunks += client.frames.filter(({ alignment }) => alignment).length / sentences.length;
    row.seconds += client.audio().length / BYTES_PER_SECOND;
  }
  return row;
}

async function speak(target: SpeechTarget, text: string, seed: number): Promise<StreamClient> {
  const { origin, voiceId, apiKey, level } = target;
  const client = new StreamClient(
    `${origin}/v1/text-to-speech/${voiceId}/stream-input?output_format=ulaw_8000&optimize_streaming_latency=${level}&seed=${seed}`,
    { 'xi-api-key': apiKey },
  );
  await client.opened();
  for (const word of text.split(/(?<= )/)) client.send({ text: word });
  client.send({ text: '' });
  const { code, reason } = await client.closed;
  if (code !== 1000) throw new Error(`The speech was refused with ${code}: ${reason}`);
  return client;
}
