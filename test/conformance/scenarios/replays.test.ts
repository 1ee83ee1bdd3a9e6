import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_VOICE_SETTINGS } from '../../../src/domain/voice.ts';
import { KEY, type StreamServer, startStreamServer } from '../../support/stream-server.ts';
import { VOICE, VOICE_ID } from '../../support/tone-speech.ts';
import { replay } from '../replays/replay.ts';
import type { RequirementId } from '../requirements.ts';
import { verifies } from '../verifies.ts';

const REPLAYS: ReadonlyArray<readonly [RequirementId, string]> = [
  ['client:pipecat', 'pipecat.jsonl'],
  ['client:dograh', 'dograh.jsonl'],
  ['client:livekit-js', 'livekit-js.jsonl'],
  ['client:livekit-python', 'livekit-python.jsonl'],
  ['client:bolna', 'bolna.jsonl'],
  ['client:vocode', 'vocode.jsonl'],
  ['client:ten', 'ten.jsonl'],
  ['client:python-sdk', 'python-sdk-realtime.jsonl'],
  ['client:jambonz', 'jambonz.jsonl'],
  ['client:dialogue-pipecat', 'dialogue-pipecat.jsonl'],
  ['client:dialogue-livekit', 'dialogue-livekit.jsonl'],
  ['client:deepgram-pipecat', 'deepgram-pipecat.jsonl'],
  ['client:deepgram-livekit', 'deepgram-livekit.jsonl'],
  ['client:cartesia-pipecat', 'cartesia-pipecat.jsonl'],
  ['client:cartesia-livekit', 'cartesia-livekit.jsonl'],
];

let server: StreamServer;

beforeAll(async () => {
  const findVoice = async () => ({ voice: VOICE, settings: DEFAULT_VOICE_SETTINGS });
  server = await startStreamServer({ normalise: true, speech: { findVoice } });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

describe('what a public client sends gets it what it needs', () => {
  for (const [id, file] of REPLAYS) {
    verifies(id, file, async () => {
      await replay(file, `${server.url}/v1/text-to-speech/${VOICE_ID}`, KEY);
      await expect.poll(() => server.connections.count).toBe(0);
      await expect.poll(() => server.engine.liveJobs).toBe(0);
    });
  }

  it('leaves out no client whose messages are kept', () => {
    const kept = readdirSync(new URL('../../fixtures/clients/', import.meta.url));
    const files = kept.filter((name) => name.endsWith('.jsonl'));
    expect(files.sort()).toEqual(REPLAYS.map(([, file]) => file).sort());
  });
});
