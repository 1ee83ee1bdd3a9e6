import { expect } from 'vitest';
import { ACCOUNT_CALLS } from './sdk-account-calls.ts';
import { bytesOf, type Drive } from './sdk-scene.ts';

const OK = { status: 'ok' };
/** "Rachel" and "George" of the original, which its clients name unless told otherwise. */
const [RACHEL, GEORGE] = ['21m00Tcm4TlvDq8ikWAM', 'JBFqnCBsd6RMkjVDRZzb'] as const;

const dialogue = (voiceId: string) => [
  { text: 'Are you there?', voiceId },
  { text: 'Yes. Where else?', voiceId: GEORGE },
];

const speech: Record<string, Drive> = {
  'POST /v1/text-to-speech/{voice_id}': async ({ client, voiceId }) => {
    const audio = await client.textToSpeech.convert(voiceId, {
      text: 'Hello.',
      modelId: 'eleven_multilingual_v2',
      outputFormat: 'mp3_44100_128',
      languageCode: 'en',
      voiceSettings: { stability: 0.4, similarityBoost: 0.8, style: 0.1, useSpeakerBoost: true },
      seed: 7,
      previousText: 'Yes.',
      nextText: 'Goodbye.',
      previousRequestIds: [],
      applyTextNormalization: 'auto',
      enableLogging: false,
      optimizeStreamingLatency: 0,
    });
    expect((await bytesOf(audio)).length).toBeGreaterThan(4000);
  },
  'POST /v1/text-to-speech/{voice_id}/stream': async (scene) => {
    const { id, versionId } = await scene.dictionary('Spoken');
    const stream = await scene.client.textToSpeech.stream(GEORGE, {
      text: 'Aoife ate a tomato.',
      modelId: 'eleven_flash_v2_5',
      outputFormat: 'ulaw_8000',
      pronunciationDictionaryLocators: [{ pronunciationDictionaryId: id, versionId }],
    });
    expect((await bytesOf(stream)).length).toBeGreaterThan(6000);
  },
  'POST /v1/text-to-speech/{voice_id}/with-timestamps': async ({ client, voiceId }) => {
    const timed = await client.textToSpeech.convertWithTimestamps(voiceId, { text: 'Hello.' });
    expect(timed.alignment?.characters.join('').trim()).toBe('Hello.');
    expect(timed.alignment?.characterEndTimesSeconds.length).toBe(
      timed.alignment?.characters.length,
    );
    expect(timed.normalizedAlignment?.characters.length).toBeGreaterThan(0);
    expect(timed.audioBase64.length).toBeGreaterThan(4000);
  },
  'POST /v1/text-to-speech/{voice_id}/stream/with-timestamps': async ({ client, voiceId }) => {
    const chunks = await client.textToSpeech.streamWithTimestamps(voiceId, {
      text: 'Hello. How are you?',
      outputFormat: 'pcm_16000',
    });
    let spoken = '';
    for await (const { alignment } of chunks) spoken += alignment?.characters.join('') ?? '';
    expect(spoken.trim()).toBe('Hello. How are you?');
  },
  'POST /v1/text-to-dialogue': async ({ client, voiceId }) => {
    const audio = await client.textToDialogue.convert({
      inputs: [
        { text: '[giggling] Knock knock.', voiceId },
        { text: '[curious] Who is there?', voiceId: GEORGE },
      ],
      modelId: 'eleven_v3',
      settings: { stability: 0.5 },
      languageCode: 'en',
      seed: 7,
      applyTextNormalization: 'auto',
      outputFormat: 'mp3_44100_128',
    });
    expect((await bytesOf(audio)).length).toBeGreaterThan(8000);
  },
  'POST /v1/text-to-dialogue/stream': async (scene) => {
    const { id, versionId } = await scene.dictionary('Dialogue');
    const stream = await scene.client.textToDialogue.stream({
      inputs: dialogue(scene.voiceId),
      outputFormat: 'ulaw_8000',
      pronunciationDictionaryLocators: [{ pronunciationDictionaryId: id, versionId }],
    });
    expect((await bytesOf(stream)).length).toBeGreaterThan(8000);
  },
  'POST /v1/text-to-dialogue/with-timestamps': async ({ client, voiceId }) => {
    const inputs = dialogue(voiceId);
    const timed = await client.textToDialogue.convertWithTimestamps({ inputs });
    const { alignment, voiceSegments } = timed;
    expect(voiceSegments.map((segment) => segment.voiceId)).toEqual([voiceId, GEORGE]);
    const said = voiceSegments.map(({ characterStartIndex, characterEndIndex }) =>
      alignment?.characters.slice(characterStartIndex, characterEndIndex).join('').trim(),
    );
    expect(said).toEqual(inputs.map(({ text }) => text));
    expect(timed.audioBase64.length).toBeGreaterThan(8000);
  },
  'POST /v1/text-to-dialogue/stream/with-timestamps': async ({ client, voiceId }) => {
    const inputs = dialogue(voiceId);
    const outputFormat = 'pcm_16000';
    const said = ['', ''];
    const chunks = await client.textToDialogue.streamWithTimestamps({ inputs, outputFormat });
    for await (const { alignment, voiceSegments } of chunks) {
      for (const segment of voiceSegments) {
        const { characterStartIndex, characterEndIndex, dialogueInputIndex: index } = segment;
        const here = alignment?.characters.slice(characterStartIndex, characterEndIndex) ?? [];
        said[index] = (said[index] ?? '') + here.join('');
      }
    }
    expect(said.map((text) => text.trim())).toEqual(inputs.map(({ text }) => text));
  },
  'POST /v1/single-use-token/{token_type}': async ({ client }) => {
    const { token } = await client.tokens.singleUse.create('tts_websocket');
    expect(token).toMatch(/^sutkn_/);
  },
};

const voices: Record<string, Drive> = {
  'GET /v1/voices': async ({ client, voiceId }) => {
    const { voices } = await client.voices.getAll({ showLegacy: true });
    expect(voices[0]).toMatchObject({ voiceId, category: 'premade', isOwner: false });
  },
  'GET /v2/voices': async ({ client }) => {
    const { voices, hasMore, totalCount, nextPageToken } = await client.voices.search({
      pageSize: 1,
      sort: 'name',
      sortDirection: 'asc',
      voiceType: 'default',
      includeTotalCount: true,
    });
    expect([voices.length, hasMore]).toEqual([1, true]);
    expect(totalCount).toBeGreaterThan(1);
    const next = await client.voices.search({
      pageSize: 1,
      sort: 'name',
      sortDirection: 'asc',
      voiceType: 'default',
      ...(nextPageToken !== undefined && { nextPageToken }),
    });
    expect(next.voices[0]?.voiceId).not.toBe(voices[0]?.voiceId);
  },
  'GET /v1/voices/{voice_id}': async ({ client, voiceId }) => {
    const voice = await client.voices.get(voiceId, { withSettings: true });
    expect(voice).toMatchObject({ voiceId, settings: { useSpeakerBoost: true } });
    const alias = await client.voices.get(RACHEL);
    expect(alias).toMatchObject({ voiceId: RACHEL, category: 'premade' });
    expect(alias.labels?.['gender']).toBe('female');
  },
  'POST /v1/voices/add': async (scene) => {
    const voice = await scene.client.voices.get(await scene.ownVoice());
    expect(voice).toMatchObject({ name: 'Mine', category: 'cloned', isOwner: true });
    expect(voice.samples?.[0]).toMatchObject({ fileName: 'tone.wav', mimeType: 'audio/wav' });
  },
  'GET /v1/voices/{voice_id}/samples/{sample_id}/audio': async (scene) => {
    const voiceId = await scene.ownVoice();
    const [sample] = (await scene.client.voices.get(voiceId)).samples ?? [];
    const { audio } = scene.client.voices.samples;
    const recording = await bytesOf(await audio.get(voiceId, sample?.sampleId ?? ''));
    expect(recording.subarray(0, 4).toString()).toBe('RIFF');
    expect(recording.length).toBe(sample?.sizeBytes);
    await expect(audio.get(voiceId, 'another')).rejects.toThrow(/404/);
  },
  'POST /v1/voices/{voice_id}/edit': async (scene) => {
    const voiceId = await scene.ownVoice();
    const labels = { accent: 'irish' };
    expect(await scene.client.voices.update(voiceId, { name: 'Changed', labels })).toEqual(OK);
    expect(await scene.client.voices.get(voiceId)).toMatchObject({ name: 'Changed', labels });
  },
  'DELETE /v1/voices/{voice_id}': async (scene) => {
    const voiceId = await scene.ownVoice();
    expect(await scene.client.voices.delete(voiceId)).toEqual(OK);
    await expect(scene.client.voices.get(voiceId)).rejects.toThrow(/404/);
  },
  'GET /v1/voices/settings/default': async ({ client }) => {
    expect(await client.voices.settings.getDefault()).toMatchObject({ stability: 0.5, speed: 1 });
  },
  'GET /v1/voices/{voice_id}/settings': async ({ client, voiceId }) => {
    expect(await client.voices.settings.get(voiceId)).toMatchObject({ similarityBoost: 0.75 });
  },
  'POST /v1/voices/{voice_id}/settings/edit': async (scene) => {
    const voiceId = await scene.ownVoice();
    const { settings } = scene.client.voices;
    expect(await settings.update(voiceId, { stability: 0.9, speed: 1.1 })).toEqual(OK);
    expect(await settings.get(voiceId)).toMatchObject({ stability: 0.9, speed: 1.1 });
  },
  'GET /v1/shared-voices': async ({ client }) => {
    const shared = await client.voices.getShared({ pageSize: 3, page: 1, language: 'en' });
    expect(shared.voices.length).toBe(3);
    expect([shared.hasMore, (shared.totalCount ?? 0) > 3]).toEqual([true, true]);
  },
  'POST /v1/voices/add/{public_user_id}/{voice_id}': async ({ client }) => {
    const { voices } = await client.voices.getShared({ pageSize: 100 });
    const free = voices.find(({ isAddedByUser }) => !isAddedByUser);
    const owner = free?.publicOwnerId ?? '';
    const { voiceId } = await client.voices.share(owner, free?.voiceId ?? '', { newName: 'Found' });
    expect(await client.voices.get(voiceId)).toMatchObject({ name: 'Found' });
  },
  'GET /v1/models': async ({ client }) => {
    const models = await client.models.list();
    const speaking = models.filter(({ canDoTextToSpeech }) => canDoTextToSpeech);
    expect(speaking.map(({ modelId }) => modelId)).toContain('svc_turbo_v1');
    expect(models.find(({ modelId }) => modelId === 'eleven_multilingual_v2')).toBeDefined();
    expect(models.find(({ canDoVoiceConversion }) => canDoVoiceConversion)).toBeUndefined();
  },
};

const history: Record<string, Drive> = {
  'GET /v1/history': async (scene) => {
    const itemId = await scene.item('Only this one has a zebra.');
    const { voiceId, client } = scene;
    const query = { pageSize: 1, voiceId, search: 'a ZEBRA', source: 'TTS' } as const;
    const page = await client.history.list({ ...query, sortDirection: 'desc' });
    expect(page).toMatchObject({ history: [{ historyItemId: itemId }], hasMore: false });
    const after = await client.history.list({ ...query, startAfterHistoryItemId: itemId });
    expect(after.history).toEqual([]);
  },
  'GET /v1/history/{history_item_id}': async (scene) => {
    const item = await scene.client.history.get(await scene.item('Kept.'));
    expect(item).toMatchObject({ text: 'Kept.', source: 'TTS', contentType: 'audio/mpeg' });
    expect(item.alignments?.alignment.characters.join('').trim()).toBe('Kept.');
  },
  'GET /v1/history/{history_item_id}/audio': async (scene) => {
    const audio = await scene.client.history.getAudio(await scene.item());
    expect((await bytesOf(audio)).length).toBeGreaterThan(1000);
  },
  'DELETE /v1/history/{history_item_id}': async (scene) => {
    const itemId = await scene.item();
    expect(await scene.client.history.delete(itemId)).toEqual(OK);
    await expect(scene.client.history.get(itemId)).rejects.toThrow(/404/);
  },
  'POST /v1/history/download': async (scene) => {
    const ids = [await scene.item(), await scene.item()];
    const zip = await bytesOf(await scene.client.history.download({ historyItemIds: ids }));
    expect(zip.subarray(0, 2).toString()).toBe('PK');
    const [one = ''] = ids;
    const audio = await bytesOf(await scene.client.history.download({ historyItemIds: [one] }));
    expect(audio.length).toBeGreaterThan(1000);
  },
};

/** What clients of OpenAI call; `openai.test.ts` drives their own package. */
const openAi: Record<string, Drive> = {
  'POST /v1/audio/speech': async (scene) => {
    const audio = await scene.call('POST /v1/audio/speech', { input: 'Hello.' });
    expect(String(audio).length).toBeGreaterThan(4000);
  },
  'GET /v1/audio/voices': async (scene) => {
    expect(await scene.call('GET /v1/audio/voices')).toMatchObject({ voices: expect.any(Array) });
  },
  'GET /v1/audio/models': async (scene) => {
    expect(await scene.call('GET /v1/audio/models')).toMatchObject({ models: expect.any(Array) });
  },
  'GET /v1/models/{model}': async (scene) => {
    expect(await scene.call('GET /v1/models/tts-1')).toMatchObject({ id: 'tts-1' });
  },
};

/**
 * What drives each route: a method of the official SDK, which throws when it cannot parse the reply;
 * or `Scene.call` for those that are ours alone.
 */
export const CALLS: Readonly<Record<string, Drive>> = {
  ...speech,
  ...voices,
  ...history,
  ...openAi,
  ...ACCOUNT_CALLS,
};
