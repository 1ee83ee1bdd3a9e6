import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { readWav } from '../../../../src/synthesis/audio/wav.ts';
import { toneRecording } from '../../../support/recordings.ts';
import { temporaryDir } from '../../../support/temporary-dir.ts';
import { CONFIGURED_SECRET } from '../../api/resources/api-harness.ts';
import { run } from './cli-harness.ts';

/** What Twilio calls 200 ms of a voice. */
const PAYLOAD = Buffer.alloc(1600, 0x90).toString('base64');

type Message = { event: string; streamSid: string } & Record<string, unknown>;

/** A Twilio media server as its documents describe one: speaks when the call starts. */
async function startMediaServer(
  answer: (socket: WebSocket, message: Message) => void = speakOnStart,
) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  const calls: { path: string | undefined; messages: Message[] }[] = [];
  server.on('connection', (socket, { url }) => {
    const messages: Message[] = [];
    calls.push({ path: url, messages });
    socket.on('message', (data) => {
      const message = JSON.parse(String(data)) as Message;
      messages.push(message);
      answer(socket, message);
    });
  });
  await once(server, 'listening');
  onTestFinished(() => {
    for (const client of server.clients) client.terminate();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { host: `127.0.0.1:${port}`, calls };
}

function speakOnStart(socket: WebSocket, { event, streamSid }: Message): void {
  if (event !== 'start') return;
  const media = { event: 'media', streamSid, media: { payload: PAYLOAD } };
  socket.send(JSON.stringify(media));
  socket.send(JSON.stringify({ event: 'mark', streamSid, mark: { name: 'greeted' } }));
}

describe('sidetone call', () => {
  it('calls the line of the server as the carrier, with the key among the parameters', async () => {
    const { host, calls } = await startMediaServer();
    const args = ['call', '--carrier', 'twilio', '--line', 'sales', '--param', 'lang=en'];
    const { code, err } = await run([...args, '--seconds', '0.3', '--url', `http://${host}`]);
    expect([code, err]).toEqual([0, '']);
    expect(calls[0]?.path).toBe('/v1/lines/sales/twilio');
    const start = calls[0]?.messages.find(({ event }) => event === 'start');
    expect(start?.['start']).toMatchObject({
      customParameters: { lang: 'en', api_key: CONFIGURED_SECRET },
    });
    expect(calls[0]?.messages.at(-1)?.event).toBe('stop');
  });

  it('prints what it measured, and a plot, to any other server', async () => {
    const { host, calls } = await startMediaServer();
    const args = ['call', '--carrier', 'twilio', '--seconds', '0.5', '--url', `ws://${host}/media`];
    const { out } = await run(args);
    expect(calls[0]?.path).toBe('/media');
    expect(out).toContain(`twilio, ulaw_8000, ws://${host}/media`);
    expect(out).toMatch(/first audio +\d+ ms after the greeting/);
    expect(out).toContain('heard        0.20 s in 1 message, 1,600 bytes');
    expect(out).toContain('marks        1 asked for, 1 answered');
    expect(out).toContain('findings     none');
    expect(out).toMatch(/ {2}bot +█+/);
    expect(out).not.toContain(CONFIGURED_SECRET);
  });

  it('prints the report as JSON and nothing else', async () => {
    const { host } = await startMediaServer();
    const args = ['call', '--carrier', 'twilio', '--seconds', '0.3', '--json'];
    const report = JSON.parse((await run([...args, '--url', `ws://${host}`])).out);
    expect(report).toMatchObject({
      carrier: 'twilio',
      endedBy: 'caller',
      bytes: 1600,
      underruns: { count: 0 },
      findings: [],
    });
  });

  it('presses keys and barges in with a recording after the first word', async () => {
    const { host, calls } = await startMediaServer((socket, message) => {
      speakOnStart(socket, message);
      const { event, streamSid } = message;
      if (event === 'dtmf') socket.send(JSON.stringify({ event: 'clear', streamSid }));
    });
    const wav = join(temporaryDir(), 'question.wav');
    writeFileSync(wav, toneRecording(100, 0.5, 44_100));
    const args = ['call', '--carrier', 'twilio', '--dtmf', '1w#', '--say', wav];
    const timing = ['--barge-in-at', '0.1', '--seconds', '1.5', '--json'];
    const { out } = await run([...args, ...timing, '--url', `ws://${host}`]);
    const keys = calls[0]?.messages.filter(({ event }) => event === 'dtmf');
    expect(keys).toMatchObject([{ dtmf: { digit: '1' } }, { dtmf: { digit: '#' } }]);
    const { moments, clears } = JSON.parse(out);
    expect(moments).toMatchObject([
      { type: 'speech' },
      { type: 'key', label: '1' },
      { type: 'key', label: '#' },
    ]);
    expect(clears).toHaveLength(2);
    const speech = (calls[0]?.messages ?? []).filter(({ media }) => {
      const { payload = '' } = (media ?? {}) as { payload?: string };
      return payload !== '' && !Buffer.from(payload, 'base64').every((byte) => byte === 0xff);
    });
    expect(speech.length).toBeGreaterThanOrEqual(5);
  });

  it('records both sides, of the same length, into files or a folder', async () => {
    const { host } = await startMediaServer();
    const folder = join(temporaryDir(), 'new');
    const args = ['call', '--carrier', 'twilio', '--seconds', '0.4', '--url', `ws://${host}`];
    const { code, err } = await run([...args, '-o', folder]);
    expect(code).toBe(0);
    expect(err).toContain('bot.wav');
    const bot = readWav(readFileSync(join(folder, 'bot.wav')));
    const caller = readWav(readFileSync(join(folder, 'caller.wav')));
    expect(bot.samples.length).toBe(caller.samples.length);
    expect(bot.samples.filter((sample) => sample !== 0)).toHaveLength(1600);
    expect(JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')).bytes).toBe(1600);
    const [mine, theirs] = [join(folder, 'a.wav'), join(folder, 'b.wav')];
    await run([...args, '--record', mine, theirs]);
    expect([mine, theirs].map((path) => existsSync(path))).toEqual([true, true]);
  });

  it('shows what the server did wrong', async () => {
    const { host } = await startMediaServer((socket, { event, streamSid }) => {
      if (event !== 'start') return;
      const payload = Buffer.from('RIFFxxxxWAVE').toString('base64');
      socket.send(JSON.stringify({ event: 'media', streamSid, media: { payload } }));
    });
    const args = ['call', '--carrier', 'twilio', '--seconds', '0.2', '--url', `ws://${host}`];
    expect((await run(args)).out).toContain('finding      A WAV header was sent as audio');
  });
});

describe('sidetone call --carrier audiosocket', () => {
  it('announces the call to the server, and connects with the id that it gets', async () => {
    const packets: Buffer[] = [];
    const media = createServer((socket) => socket.on('data', (bytes) => packets.push(bytes)));
    media.listen(0, '127.0.0.1');
    const requests: (string | undefined)[] = [];
    const uuid = '0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0';
    const server = createHttpServer((request, response) => {
      requests.push(request.url);
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ uuid, valid_for_ms: 60_000 }));
    });
    server.listen(0, '127.0.0.1');
    await Promise.all([once(media, 'listening'), once(server, 'listening')]);
    onTestFinished(() => {
      media.close();
      server.close();
    });
    const port = (of: { address(): unknown }) => (of.address() as AddressInfo).port;
    const args = ['call', '--carrier', 'audiosocket', '--format', 'pcm_16000', '--from', '+1555'];
    const environment = { SIDETONE_AUDIOSOCKET_PORT: String(port(media)) };
    const url = `http://127.0.0.1:${port(server)}`;
    const { code } = await run([...args, '--seconds', '0.1', '--url', url], environment);
    expect(code).toBe(0);
    expect(requests).toEqual(['/v1/lines/default/audiosocket/call?rate=16000&from=%2B1555']);
    const sent = Buffer.concat(packets);
    expect(sent.subarray(0, 19).toString('hex')).toBe(`010010${uuid.replaceAll('-', '')}`);
    expect(sent[19]).toBe(0x12);
  });

  it('says which port it must be told', async () => {
    const { code, err } = await run(['call', '--carrier', 'audiosocket']);
    expect(code).toBe(2);
    expect(err).toContain('SIDETONE_AUDIOSOCKET_PORT');
  });
});

describe('a call that fails', () => {
  const call = ['call', '--carrier', 'twilio'];

  it.each([
    ['no carrier', ['call']],
    ['an unknown carrier', ['call', '--carrier', 'pigeon']],
    ['keys that no telephone has', [...call, '--dtmf', '1E']],
    ['half a parameter', [...call, '--param', 'lang']],
    ['one recording', [...call, '--record', 'a.wav']],
    ['two places to record', [...call, '--record', 'a.wav', 'b.wav', '-o', 'folder']],
    ['nothing to barge in with', [...call, '--barge-in-at', '1']],
    ['no number', [...call, '--seconds', 'long']],
    ['no such recording', [...call, '--say', '/nowhere.wav']],
    ['a format that the carrier has not', [...call, '--format', 'pcm_16000']],
    ['an address of nothing', [...call, '--url', 'ftp://host']],
  ])('with %s is wrong usage', async (_case, args) => {
    const { code, err, out } = await run(args);
    expect([code, out]).toEqual([2, '']);
    expect(err).not.toBe('');
  });

  it('because nobody answers has an exit code of its own', async () => {
    const { code, err } = await run([...call, '--url', 'ws://127.0.0.1:1/x']);
    expect(code).toBe(3);
    expect(err).toBe('sidetone: Nobody answers at ws://127.0.0.1:1/x.\n');
  });

  it('because it is refused repeats the reason', async () => {
    const server = createHttpServer();
    server.on('upgrade', (_request, socket) => {
      socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 13\r\n\r\nNo such line.');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const { code, err } = await run([...call, '--url', `http://127.0.0.1:${port}`]);
    expect(code).toBe(1);
    expect(err).toContain('refused the call with status 404. No such line.');
  });

  it('because the server breaks it off still has a report', async () => {
    const { host } = await startMediaServer((socket, message) => {
      speakOnStart(socket, message);
      if (message.event === 'media') socket.close(1008, 'Out of credit.');
    });
    const { code, err, out } = await run([...call, '--url', `ws://${host}`]);
    expect(code).toBe(1);
    expect(err).toBe('sidetone: The server closed the connection (1008). Out of credit.\n');
    expect(out).toContain('heard ');
  });
});
