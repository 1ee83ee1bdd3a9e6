import { ElevenLabsClient } from '@elevenlabs/elevenlabs-js';
import type { App } from '../../src/app.ts';
import { REAL_KEY } from '../support/real-server.ts';
import { toneRecording } from '../support/recordings.ts';

/** Drives one route, and throws when the reply is not what it should be. */
export type Drive = (scene: Scene) => Promise<unknown>;

/** What the calls of a client are made on: a server, and what has been made on it so far. */
export class Scene {
  readonly client: ElevenLabsClient;
  readonly url: string;
  readonly voiceId: string;
  /** `METHOD /path` of every request, by whichever way it was made. */
  readonly requests: string[] = [];

  constructor({ url, defaultVoice }: App, options: ElevenLabsClient.Options = {}) {
    this.url = url;
    this.voiceId = defaultVoice.voiceId;
    this.client = new ElevenLabsClient({
      apiKey: REAL_KEY,
      baseUrl: url,
      maxRetries: 0,
      fetch: (input, init) => {
        this.requests.push(`${init?.method ?? 'GET'} ${new URL(String(input)).pathname}`);
        return fetch(input, init);
      },
      ...options,
    });
  }

  /** For routes that the SDK knows nothing of. @returns the body, read as JSON when it is. */
  async call(route: string, body?: unknown): Promise<unknown> {
    const [method = '', path = ''] = route.split(' ');
    this.requests.push(`${method} ${path.split('?')[0]}`);
    const response = await fetch(this.url + path, {
      method,
      headers: {
        'xi-api-key': REAL_KEY,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${route} answered ${response.status}: ${text}`);
    return response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text;
  }

  /** Id of a generation that has been kept. */
  async item(text = 'Hello.'): Promise<string> {
    const { rawResponse, data } = await this.client.textToSpeech
      .convert(this.voiceId, { text, outputFormat: 'mp3_22050_32' })
      .withRawResponse();
    await bytesOf(data);
    const itemId = rawResponse.headers.get('history-item-id') ?? '';
    while (!(await this.#isKept(itemId))) await new Promise((resolve) => setTimeout(resolve, 20));
    return itemId;
  }

  /** Id of a voice of recordings. */
  async ownVoice(): Promise<string> {
    const { voiceId } = await this.client.voices.ivc.create({
      name: 'Mine',
      description: 'Warm.',
      labels: { accent: 'scottish' },
      removeBackgroundNoise: false,
      files: [{ data: toneRecording(), filename: 'tone.wav', contentType: 'audio/wav' }],
    });
    return voiceId;
  }

  async dictionary(name = 'Names') {
    return this.client.pronunciationDictionaries.createFromRules({
      name,
      description: 'How we say it.',
      rules: [
        { type: 'alias', stringToReplace: 'Aoife', alias: 'Eefa' },
        { type: 'phoneme', stringToReplace: 'tomato', phoneme: 'təˈmɑːtoʊ', alphabet: 'ipa' },
      ],
    });
  }

  async webhook(url = 'https://example.com/hook') {
    return this.client.webhooks.create({
      settings: { authType: 'hmac', name: 'Hook', webhookUrl: url },
    });
  }

  async apiKey(): Promise<string> {
    const made = await this.call('POST /v1/workspace/api-keys', { name: 'bot' });
    return (made as { api_key_id: string }).api_key_id;
  }

  async #isKept(itemId: string): Promise<boolean> {
    const { history } = await this.client.history.list({ pageSize: 10 });
    return history.some(({ historyItemId }) => historyItemId === itemId);
  }
}

export async function bytesOf(stream: ReadableStream<Uint8Array>): Promise<Buffer> {
  return Buffer.from(await new Response(stream).arrayBuffer());
}
