import { type ClientRequest, request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Attack, type AttackLog, type AttackTarget, untilOver } from './attack.ts';

const MEGABYTE = 2 ** 20;
const KEYLESS_AT_ONCE = 8;
const UPLOADS_AT_ONCE = 12;
const UPLOAD_BYTES = 9 * MEGABYTE;
const SLOW_UPLOADS = 40;
const DRIP_MS = 100;
const BOUNDARY = 'bench-boundary';
/** After a refusal without a body to send, a real client would come back at once; this many a second are enough. */
const PAUSE_MS = 20;
/** What turns requests away. Other errors are verdicts on what was read; a slow upload (408) is cut when its time is over. */
const REFUSALS: ReadonlySet<number> = new Set([401, 403, 413, 429, 503, 507]);

interface Ask {
  readonly path: string;
  readonly apiKey?: string;
  readonly contentType?: string;
}

/** Bodies of a megabyte from somebody without a key. */
export const keylessMegabytes: Attack = async (target, log) => {
  const body = JSON.stringify({ text: 'a'.repeat(MEGABYTE - 100) });
  await untilOver(log, KEYLESS_AT_ONCE, async () => {
    await ask(target, log, { path: speechPath(target) }, (request) => request.end(body));
    await sleep(PAUSE_MS);
  });
};

/** Text that grows when it is read out: one sign becomes two words. */
export const swellingText: Attack = async (target, log) => {
  const body = JSON.stringify({ text: '%'.repeat(400) });
  await untilOver(log, 2, () => speak(target, log, body));
};

/** A dictionary of the caller's own that makes a book of a word. */
export const swellingDictionary: Attack = async (target, log) => {
  const rules = [
    {
      type: 'alias',
      string_to_replace: 'book',
      alias: 'every word of a very long book '.repeat(30).slice(0, 900),
    },
  ];
  const created = await fetch(
    `http://127.0.0.1:${target.port}/v1/pronunciation-dictionaries/add-from-rules`,
    {
      method: 'POST',
      headers: { 'xi-api-key': target.apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'bench', rules }),
    },
  );
  const { id, version_id } = (await created.json()) as { id?: string; version_id?: string };
  const body = JSON.stringify({
    text: 'book book book book',
    ...(id && {
      pronunciation_dictionary_locators: [{ pronunciation_dictionary_id: id, version_id }],
    }),
  });
  await untilOver(log, 2, () => speak(target, log, body));
};

/** Recordings for voices, as large as may be and many at once. */
export const manyUploads: Attack = async (target, log) => {
  const piece = Buffer.alloc(MEGABYTE);
  await untilOver(log, UPLOADS_AT_ONCE, async () => {
    await upload(target, log, async (request, noteSent) => {
      for (let sent = 0; sent < UPLOAD_BYTES && !request.destroyed; sent += piece.length) {
        if (!request.write(piece, noteSent)) await sleep(1);
      }
      if (!request.destroyed) request.end(`\r\n--${BOUNDARY}--\r\n`);
    });
    await sleep(PAUSE_MS);
  });
};

/** Recordings that come drop by drop. */
export const slowUploads: Attack = async (target, log) => {
  const piece = Buffer.alloc(1024);
  await untilOver(log, SLOW_UPLOADS, async () => {
    await upload(target, log, async (request) => {
      while (!request.destroyed && !log.isOver) {
        request.write(piece);
        await sleep(DRIP_MS);
      }
      request.destroy();
    });
    await sleep(PAUSE_MS);
  });
};

function speechPath({ voiceId }: AttackTarget): string {
  return `/v1/text-to-speech/${voiceId}?output_format=ulaw_8000`;
}

function speak(target: AttackTarget, log: AttackLog, body: string): Promise<void> {
  const path = speechPath(target);
  return ask(target, log, { path, apiKey: target.apiKey }, (request) => request.end(body));
}

function upload(
  target: AttackTarget,
  log: AttackLog,
  send: (request: ClientRequest, noteSent: () => void) => Promise<void>,
): Promise<void> {
  const contentType = `multipart/form-data; boundary=${BOUNDARY}`;
  const asked = { path: '/v1/voices/add', apiKey: target.apiKey, contentType };
  return ask(target, log, asked, (request, noteSent) => {
    request.write(
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="name"\r\n\r\nBench\r\n` +
        `--${BOUNDARY}\r\nContent-Disposition: form-data; name="files"; filename="a.wav"\r\n` +
        'Content-Type: audio/wav\r\n\r\n',
    );
    void send(request, noteSent);
  });
}

/** Sends one request and waits for its answer, its refusal, or the end of the connection. */
function ask(
  { port }: AttackTarget,
  log: AttackLog,
  { path, apiKey, contentType = 'application/json' }: Ask,
  send: (request: ClientRequest, noteSent: () => void) => void,
): Promise<void> {
  return new Promise((resolve) => {
    const headers = { 'content-type': contentType, ...(apiKey && { 'xi-api-key': apiKey }) };
    const request = httpRequest({ host: '127.0.0.1', port, path, method: 'POST', headers });
    let sentAtMs = performance.now();
    const noteSent = () => {
      sentAtMs = performance.now();
    };
    request.once('finish', noteSent);
    const giveUp = setTimeout(() => request.destroy(), log.leftMs + 1000);
    request.once('close', () => {
      clearTimeout(giveUp);
      resolve();
    });
    // A server that refuses early closes while the body is still being sent.
    request.on('error', () => undefined);
    request.once('response', (response) => {
      if (REFUSALS.has(response.statusCode ?? 0)) log.refused(performance.now() - sentAtMs);
      response.resume();
      response.once('end', () => request.destroy());
    });
    log.sent();
    send(request, noteSent);
  });
}
