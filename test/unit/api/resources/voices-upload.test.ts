import { request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { type FormPart, multipartBody } from '../../../support/multipart-body.ts';
import { toneRecording } from '../../../support/recordings.ts';
import { ADA, CONFIGURED_SECRET, openApi, UNLISTED } from './api-harness.ts';

const NAME = { name: 'name', value: 'Eve' };
const WAV = file(toneRecording());

function file(value: string | Uint8Array, given: Partial<FormPart> = {}): FormPart {
  return { name: 'files', value, fileName: 'eve.wav', contentType: 'audio/wav', ...given };
}

async function openUploads() {
  const { app } = await openApi();
  const headers = { 'xi-api-key': CONFIGURED_SECRET };
  const send = (path: string, parts: readonly FormPart[], key = CONFIGURED_SECRET) => {
    const { payload, headers } = multipartBody(parts);
    const url = `/v1/voices/${path}`;
    return app.inject({
      method: 'POST',
      url,
      payload,
      headers: { ...headers, 'xi-api-key': key },
    });
  };
  const get = async (voiceId: string) =>
    (await app.inject({ url: `/v1/voices/${voiceId}`, headers })).json();
  return { app, send, get };
}

describe('POST /v1/voices/add', () => {
  it('stores a voice with its recordings, by what they hold', async () => {
    const { send, get } = await openUploads();
    const lying = file(toneRecording(2_000), {
      fileName: '../../../b.mp3',
      contentType: 'audio/mpeg',
    });
    const reply = await send('add', [
      NAME,
      WAV,
      lying,
      { name: 'description', value: 'Warm.' },
      { name: 'labels', value: '{"accent":"scottish","gender":"female"}' },
      { name: 'remove_background_noise', value: 'true' },
      { name: 'moderate_metadata', value: 'true' },
    ]);
    expect(reply.json()).toEqual({ voice_id: expect.any(String), requires_verification: false });
    expect(await get(reply.json().voice_id)).toMatchObject({
      name: 'Eve',
      category: 'cloned',
      description: 'Warm.',
      labels: { accent: 'scottish', gender: 'female' },
      is_owner: true,
      created_at_unix: 1_763_700_000,
      high_quality_base_model_ids: [],
      samples: [
        {
          sample_id: expect.any(String),
          file_name: 'eve.wav',
          mime_type: 'audio/wav',
          size_bytes: 48_044,
          hash: expect.stringMatching(/^[0-9a-f]{64}$/),
          duration_secs: 1.5,
          remove_background_noise: true,
          sample_rate: 16_000,
          level_dbfs: -9,
        },
        { duration_secs: 2, mime_type: 'audio/wav', file_name: expect.stringContaining('b.mp3') },
      ],
    });
  });

  it('takes fields in any order, and labels that say they are JSON', async () => {
    const { send, get } = await openUploads();
    const labels = { name: 'labels', value: '{"age":"old"}', contentType: 'application/json' };
    const reply = await send('add', [WAV, labels, NAME]);
    expect(await get(reply.json().voice_id)).toMatchObject({ labels: { age: 'old' } });
  });

  it.each([
    ['no name', [WAV], 'name'],
    ['an empty name', [{ ...NAME, value: '' }, WAV], 'name'],
    ['no file', [NAME], 'files'],
    ['text in place of a file', [NAME, { name: 'files', value: 'x' }], 'files'],
    ['files by another name', [NAME, { ...WAV, name: 'audio' }], 'files'],
    [
      'a description past all measure',
      [NAME, WAV, { name: 'description', value: 'x'.repeat(1001) }],
      'description',
    ],
    [
      'noise removal perhaps',
      [NAME, WAV, { name: 'remove_background_noise', value: 'x' }],
      'remove_background_noise',
    ],
  ])('refuses %s, as the schema does', async (_, parts, field) => {
    const { send } = await openUploads();
    const reply = await send('add', parts);
    expect(reply.statusCode).toBe(422);
    expect(reply.json().detail[0].loc).toEqual(['body', field]);
  });

  it.each([
    ['a file that is no WAV file', [NAME, file('ID3\x04')], 'files'],
    ['one bad file among good ones', [NAME, WAV, file('PK\x03\x04')], 'files'],
    ['labels that are no JSON', [NAME, WAV, { name: 'labels', value: '{' }], 'labels'],
    ['labels that are a list', [NAME, WAV, { name: 'labels', value: '["a"]' }], 'labels'],
    ['labels that are no text', [NAME, WAV, { name: 'labels', value: '{"a":{"b":1}}' }], 'labels'],
    ['too many files', [NAME, ...Array.from({ length: 26 }, () => WAV)], 'files'],
  ])('refuses %s', async (_, parts, param) => {
    const { send } = await openUploads();
    const reply = await send('add', parts);
    expect(reply.statusCode).toBe(422);
    expect(reply.json().detail).toMatchObject({ code: 'invalid_input_message', param });
  });

  it('refuses files past all measure, one by one and together', async () => {
    const { send } = await openUploads();
    const big = file(Buffer.alloc(10 * 2 ** 20, 'x'));
    const tooBig = file(Buffer.alloc(10 * 2 ** 20 + 1, 'x'));
    for (const parts of [
      [NAME, tooBig],
      [NAME, big, big, big, file('x')],
    ]) {
      const reply = await send('add', parts);
      expect(reply.statusCode).toBe(413);
      expect(reply.json().detail).toMatchObject({ code: 'message_too_big', param: 'files' });
    }
  });

  it('reads nothing from somebody without a key', async () => {
    const { send } = await openUploads();
    expect((await send('add', [NAME, WAV], 'wrong-one')).statusCode).toBe(401);
  });

  it('tells a client that is still sending, and serves its next request', async () => {
    const { app } = await openUploads();
    await app.listen({ port: 0 });
    const { port } = app.server.address() as AddressInfo;
    const { payload, headers } = multipartBody([NAME, file(Buffer.alloc(16 * 2 ** 20, 'x'))]);
    const send = (key: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        const sending = httpRequest(
          {
            port,
            method: 'POST',
            path: '/v1/voices/add',
            headers: { ...headers, 'xi-api-key': key, 'content-length': payload.length },
          },
          (response) => response.resume().on('end', () => resolve(response.statusCode)),
        );
        sending.on('error', reject);
        sending.end(payload);
      });
    expect(await send(CONFIGURED_SECRET)).toBe(413);
    expect(await send('wrong-one')).toBe(401);
    expect(await send(CONFIGURED_SECRET)).toBe(413);
  });
});

describe('POST /v1/voices/{voice_id}/edit', () => {
  it('changes what is sent, and adds recordings', async () => {
    const { send, get } = await openUploads();
    const labels = { name: 'labels', value: '{"age":"old"}' };
    const { voice_id } = (await send('add', [NAME, WAV, labels])).json();
    const change = [{ name: 'name', value: 'Eva' }, { name: 'description', value: 'Low.' }, WAV];
    expect((await send(`${voice_id}/edit`, change)).json()).toEqual({ status: 'ok' });
    const voice = await get(voice_id);
    expect(voice).toMatchObject({ name: 'Eva', description: 'Low.', labels: { age: 'old' } });
    expect(voice.samples).toHaveLength(2);
    await send(`${voice_id}/edit`, [NAME, { name: 'labels', value: '{}' }]);
    expect(await get(voice_id)).toMatchObject({ name: 'Eve', description: 'Low.', labels: {} });
  });

  it.each([
    ['an installed voice', ADA, 401],
    ['a library voice that was not adopted', UNLISTED, 401],
    ['a voice that does not exist', 'nobody', 404],
  ])('refuses to change %s', async (_, voiceId, status) => {
    const { send } = await openUploads();
    for (const parts of [[NAME], [NAME, WAV]]) {
      expect((await send(`${voiceId}/edit`, parts)).statusCode).toBe(status);
    }
  });
});

describe('a voice that is only recordings', () => {
  it('is deleted with them', async () => {
    const { app, send } = await openUploads();
    const { voice_id } = (await send('add', [NAME, WAV])).json();
    const url = `/v1/voices/${voice_id}`;
    const headers = { 'xi-api-key': CONFIGURED_SECRET };
    expect((await app.inject({ method: 'DELETE', url, headers })).json()).toEqual({ status: 'ok' });
    expect((await app.inject({ url, headers })).statusCode).toBe(404);
  });

  it('is nobody else’s to see', async () => {
    const { app, send } = await openUploads();
    const { voice_id } = (await send('add', [NAME, WAV])).json();
    expect((await app.inject(`/v1/voices/${voice_id}`)).statusCode).toBe(404);
  });
});
