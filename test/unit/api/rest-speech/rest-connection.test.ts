import { type IncomingMessage, request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { readTones, ToneEngine } from '../../../support/tone-engine.ts';
import { VOICE_ID } from '../../../support/tone-speech.ts';
import { KEY, openRestServer, type RestServer } from './rest-server.ts';

const TEXT = 'One two. Three four. Five six.';
/** 33 MB of audio, far more than the operating system buffers for a client that does not read. */
const LONG_TEXT = 'A few words. '.repeat(1_200);
const LONG_BODY = { text: LONG_TEXT, model_id: 'eleven_turbo_v2_5' };
/** The tone engine says nothing between two sentences: the space before a chunk is part of it. */
const LONG_SYMBOLS = LONG_TEXT.trimEnd().length;

const FORMS = ['', '/stream', '/with-timestamps', '/stream/with-timestamps'];

/** A client that reads when the test says so. */
class Caller {
  readonly #bytes: Buffer[] = [];
  readonly response: IncomingMessage;
  /** Whether the reply came to its end, rather than breaking off. */
  readonly ended: Promise<boolean>;

  private constructor(response: IncomingMessage) {
    this.response = response;
    response.on('data', (bytes: Buffer) => this.#bytes.push(bytes));
    this.ended = new Promise((resolve) => {
      response.on('close', () => resolve(response.complete));
    });
    response.on('error', () => undefined);
  }

  static async post(url: string, path: string, body: unknown): Promise<Caller> {
    const { response } = post(url, path, body);
    return new Caller(await response);
  }

  /** Reads the first audio and nothing after it. */
  async firstBytes(): Promise<void> {
    await new Promise((resolve) => this.response.once('data', resolve));
    this.response.pause();
  }

  get body(): Buffer {
    return Buffer.concat(this.#bytes);
  }
}

function post(url: string, path: string, body: unknown) {
  const sent = request(`${url}/v1/text-to-speech/${path}`, {
    method: 'POST',
    agent: false,
    headers: { 'xi-api-key': KEY, 'content-type': 'application/json' },
  });
  const response = new Promise<IncomingMessage>((resolve, reject) => {
    sent.on('response', resolve);
    sent.on('error', reject);
  });
  sent.end(JSON.stringify(body));
  return { response, hangUp: () => sent.destroy() };
}

async function open(options: Parameters<typeof openRestServer>[0] = {}) {
  const server = openRestServer(options);
  return { server, url: await server.listen() };
}

function lengthOf({ length }: string): number {
  return length;
}

/** Waits until the engine has been asked for nothing new, three times in a row. */
async function engineAtRest({ engine }: RestServer): Promise<number> {
  let calm = 0;
  let before = -1;
  while (calm < 3) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    calm = engine.spoken.length === before ? calm + 1 : 0;
    before = engine.spoken.length;
  }
  return before;
}

async function allReleased({ limits, engine, connections }: RestServer): Promise<void> {
  const state = () => [limits.current, limits.reserved, engine.liveJobs, connections.count];
  await expect.poll(state).toEqual([0, 0, 0, 0]);
}

function errorsLogged({ logLines }: RestServer): string[] {
  return logLines.filter((line) => (JSON.parse(line) as { level: number }).level >= 50);
}

describe('a stream', () => {
  it.each(['/stream', '/stream/with-timestamps'])(
    '%s begins before the end, goes on as fast as it is read, and arrives whole',
    async (suffix) => {
      const { server, url } = await open();
      const path = `${VOICE_ID}${suffix}?output_format=pcm_22050`;
      const caller = await Caller.post(url, path, LONG_BODY);
      await caller.firstBytes();
      expect(await engineAtRest(server)).toBeLessThan(LONG_SYMBOLS);
      caller.response.resume();
      expect(await caller.ended).toBe(true);
      expect(server.engine.spoken.join('')).toBe(LONG_TEXT.trimEnd());
      expect(server.limits.charged).toBe(LONG_TEXT.length);
      await allReleased(server);
    },
  );

  it('that is not read is cut, and charged for what was sent', async () => {
    const { server, url } = await open({ writeDeadlineMs: 300 });
    const path = `${VOICE_ID}/stream?output_format=pcm_22050`;
    const caller = await Caller.post(url, path, LONG_BODY);
    await caller.firstBytes();
    await allReleased(server);
    expect(server.logLines.filter((line) => line.includes('client_too_slow'))).toHaveLength(1);
    caller.response.resume();
    expect(await caller.ended).toBe(false);
    expect(server.limits.charged).toBeGreaterThan(0);
    expect(server.limits.charged).toBeLessThan(LONG_TEXT.length);
    expect(server.history).toMatchObject({ items: [], abandoned: 1 });
    expect(server.told).toEqual([]);
  });

  it('that its caller leaves is worked on no longer', async () => {
    const { server, url } = await open();
    const path = `${VOICE_ID}/stream?output_format=pcm_22050`;
    const caller = await Caller.post(url, path, LONG_BODY);
    await caller.firstBytes();
    caller.response.destroy();
    await allReleased(server);
    expect(server.engine.spoken.length).toBeLessThan(LONG_SYMBOLS);
    expect(server.limits.charged).toBeGreaterThan(0);
    expect(server.limits.charged).toBeLessThan(LONG_TEXT.length);
    expect(server.history).toMatchObject({ items: [], abandoned: 1 });
    expect(errorsLogged(server)).toEqual([]);
  });

  it('that fails in the middle breaks off, without an error inside the audio', async () => {
    const { server, url } = await open({ engine: new ToneEngine({ failOn: 'F' }) });
    const path = `${VOICE_ID}/stream?output_format=pcm_22050`;
    const caller = await Caller.post(url, path, { text: TEXT });
    expect(await caller.ended).toBe(false);
    expect(caller.response.statusCode).toBe(200);
    expect(server.limits.delivered).toEqual(['One two.', 'One two. Three four.'].map(lengthOf));
    const heard = readTones(caller.body);
    expect('One two. Three four.').toContain(heard);
    await allReleased(server);
    expect(server.limits.charged).toBe('One two. Three four.'.length);
    expect(server.logLines.join('')).toContain('told to fail');
    expect(server.history).toMatchObject({ items: [], abandoned: 1 });
  });
});

describe('a caller who leaves before the reply', () => {
  it.each(FORMS)('of %j ends the work, and pays for nothing that was not made', async (suffix) => {
    const { server, url } = await open();
    server.engine.hold();
    const { response, hangUp } = post(url, `${VOICE_ID}${suffix}?output_format=pcm_22050`, {
      text: TEXT,
    });
    response.catch(() => undefined);
    await expect.poll(() => server.engine.liveJobs).toBe(1);
    hangUp();
    await allReleased(server);
    expect(server.limits.charged).toBe(0);
    expect(errorsLogged(server)).toEqual([]);
  });

  it('lets everything go when he leaves at the first sound', async () => {
    const { server, url } = await open();
    const path = `${VOICE_ID}/stream?output_format=pcm_22050`;
    const { response, hangUp } = post(url, path, { text: TEXT });
    response.catch(() => undefined);
    server.limits.beforeDelivery = async () => {
      hangUp();
      await expect.poll(() => server.connections.count).toBe(0);
    };
    await expect.poll(() => server.limits.delivered).toEqual([8]);
    await allReleased(server);
    expect(server.limits.charged).toBe(0);
    expect(server.history).toMatchObject({ items: [], abandoned: 1 });
    expect(errorsLogged(server)).toEqual([]);
  });

  it('pays for what was made for him', async () => {
    const { server, url } = await open();
    const { response, hangUp } = post(url, `${VOICE_ID}?output_format=pcm_22050`, { ...LONG_BODY });
    response.catch(() => undefined);
    await expect.poll(() => server.engine.spoken.length).toBeGreaterThan(100);
    hangUp();
    await allReleased(server);
    expect(server.limits.charged).toBeGreaterThan(100);
    expect(server.limits.charged).toBeLessThan(LONG_TEXT.length);
  });
});

describe('a shutdown', () => {
  it.each(FORMS)(
    'tells a caller of %j who has heard nothing, and charges nothing',
    async (suffix) => {
      const { server, url } = await open();
      server.engine.hold();
      const path = `${VOICE_ID}${suffix}?output_format=pcm_22050`;
      const calling = Caller.post(url, path, { text: TEXT });
      await expect.poll(() => server.engine.liveJobs).toBe(1);
      await server.connections.drain(0);
      const caller = await calling;
      await caller.ended;
      expect(caller.response.statusCode).toBe(503);
      expect(caller.response.headers['retry-after']).toBe('1');
      await allReleased(server);
      expect(server.limits.charged).toBe(0);
    },
  );

  it('breaks a stream off at its deadline', async () => {
    const { server, url } = await open();
    const path = `${VOICE_ID}/stream?output_format=pcm_22050`;
    const caller = await Caller.post(url, path, LONG_BODY);
    await caller.firstBytes();
    caller.response.resume();
    await server.connections.drain(0);
    expect(await caller.ended).toBe(false);
    await allReleased(server);
  });
});
