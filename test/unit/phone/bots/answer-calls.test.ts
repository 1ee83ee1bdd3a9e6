import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { beforeEach, describe, expect, it } from 'vitest';
import { answerCalls } from '../../../../src/phone/bots/answer-calls.ts';
import { DIAL_SETTINGS } from '../../../../src/phone/bots/dialled-bot.ts';
import type { AnswerCall } from '../../../../src/phone/calls/call-services.ts';
import type { BotSource, Line } from '../../../../src/phone/calls/line.ts';
import { YamlError } from '../../../../src/phone/lines/checked-yaml.ts';
import { DEFAULT_LINE } from '../../../../src/phone/lines/line-registry.ts';
import { BotHouse, type Reception } from '../../../support/bot-house.ts';
import { callRecord, RegistryOfCalls } from '../../../support/registry-of-calls.ts';
import { temporaryDir } from '../../../support/temporary-dir.ts';

let callRegistry: RegistryOfCalls;
const logLines: string[] = [];
beforeEach(() => {
  callRegistry = new RegistryOfCalls();
  logLines.length = 0;
});

const lineWith = (bot: BotSource): Line => ({ ...DEFAULT_LINE, bot });

function answering(...lines: readonly Line[]): Promise<AnswerCall> {
  const log = pino({ level: 'trace' }, { write: (line: string) => void logLines.push(line) });
  const dialSettings = { ...DIAL_SETTINGS, retryDelaysMs: [1, 1], connectTimeoutMs: 200 };
  return answerCalls({ lines, log, dialSettings });
}

/** A call comes in. @returns what is known of the bot that answered it; undefined if none did. */
function ring(answer: AnswerCall, line: Line) {
  const call = callRecord();
  callRegistry.add(call);
  answer(call, line, (bot) => callRegistry.attach(call.accountId, call.callId, bot));
  return callRegistry.attached.get(call.callId);
}

describe('a line whose bot attaches by itself', () => {
  it('leaves the call waiting', async () => {
    const line = lineWith({ type: 'attach', waitMs: 1000 });
    expect(ring(await answering(line), line)).toBeUndefined();
    expect(callRegistry.waiting('default')).toHaveLength(1);
  });
});

describe('a line with a menu', () => {
  it('is answered by the built-in one', async () => {
    const attached = ring(await answering(DEFAULT_LINE), DEFAULT_LINE);
    expect(attached?.commands[0]).toMatchObject({
      type: 'text',
      text: expect.stringContaining('thank you for calling'),
    });
  });

  it('is told at the start of numbers that the menu dials and the line does not allow', async () => {
    const menuFile = join(temporaryDir(), 'menu.yaml');
    writeFileSync(menuFile, 'states: { a: { say: One moment., transfer: "+12025550177" } }');
    const line = lineWith({ type: 'menu', menuFile });
    await expect(answering(line)).resolves.toBeDefined();
    await expect(answering({ ...line, transfers: ['+1202555017x'] })).resolves.toBeDefined();
    await expect(answering({ ...line, transfers: [] })).rejects.toThrow(
      /menu\.yaml: transfers to \+12025550177, which the line "default" does not allow/,
    );
  });

  it('is answered by its own', async () => {
    const menuFile = join(temporaryDir(), 'menu.yaml');
    writeFileSync(menuFile, 'states: { a: { say: Closed., hang_up: true } }');
    const line = lineWith({ type: 'menu', menuFile });
    expect(ring(await answering(line, line), line)?.commands).toEqual([
      { type: 'text', contextId: 'menu-1', text: 'Closed.', trigger: false },
      { type: 'context-close', contextId: 'menu-1' },
      { type: 'hang-up', when: 'after-speech' },
    ]);
  });

  it('is refused at the start when its file cannot be used', async () => {
    const folder = temporaryDir();
    const missing = lineWith({ type: 'menu', menuFile: join(folder, 'gone.yaml') });
    await expect(answering(missing)).rejects.toThrow(/gone\.yaml: this menu file .*ENOENT/);
    const broken = join(folder, 'broken.yaml');
    writeFileSync(broken, 'states: {}');
    await expect(answering(lineWith({ type: 'menu', menuFile: broken }))).rejects.toThrow(
      YamlError,
    );
  });

  it('lets a call go that ended before it could be answered', async () => {
    const answer = await answering(DEFAULT_LINE);
    answer(callRecord(), DEFAULT_LINE, () =>
      callRegistry.attach('default', 'call-1', { tell: () => {} }),
    );
    expect(logLines.join()).toContain('not_found');
  });
});

describe('a line whose bot is dialled', () => {
  async function dial(house: BotHouse, path = '/bot?token=hush') {
    const url = `${await house.open()}${path}`;
    const line = lineWith({ type: 'dial', url, headers: { authorization: 'Bearer hush' } });
    const attached = ring(await answering(line), line);
    if (!attached) throw new Error('The call was not taken.');
    return attached;
  }

  it('is reached, and talks', async () => {
    await using house = new BotHouse();
    const { bot, commands } = await dial(house);
    // The call is taken from its first moment on: nobody else may have it.
    bot.tell({ type: 'dtmf', digit: '1' });
    const client = await house.nextBot();
    expect(await client.next('call_start')).toMatchObject({ call_id: 'call-1' });
    expect(await client.next('dtmf')).toEqual({ type: 'dtmf', digit: '1' });
    expect(house.requests[0]?.headers.authorization).toBe('Bearer hush');
    expect(house.requests[0]?.url).toBe('/bot?token=hush');
    client.send({ text: 'Hello ', context_id: 'a' }, { type: 'hang_up' });
    await callRegistry.until(() => commands.length === 2);
    expect(commands).toEqual([
      { type: 'text', contextId: 'a', text: 'Hello ', trigger: false },
      { type: 'hang-up', when: 'after-speech' },
    ]);
    bot.tell({ type: 'caller-audio', audio: Uint8Array.of(1) });
    expect(await client.next('audio')).toEqual({ type: 'audio', audio: 'AQ==' });
    bot.tell({ type: 'call-end', reason: 'completed', durationMs: 10 });
    expect(await client.closed).toMatchObject({ code: 1000 });
    expect(logLines.join()).not.toContain('hush');
  });

  it('hears the caller in binary messages, if its address says so', async () => {
    await using house = new BotHouse();
    const { bot } = await dial(house, '/bot?audio=binary');
    const client = await house.nextBot();
    bot.tell({ type: 'caller-audio', audio: Uint8Array.of(1, 2) });
    expect(await client.nextBinary()).toEqual(Buffer.of(1, 2));
  });

  it.each<[string, Reception[]]>([
    ['refused once', ['refuse']],
    ['refused twice', ['refuse', 'refuse']],
    ['hung up on, then redirected', ['hang', 'redirect']],
  ])('is tried again when it is %s', async (_what, receptions) => {
    await using house = new BotHouse(...receptions);
    await dial(house);
    const client = await house.nextBot();
    await client.next('call_start');
    expect(house.requests).toHaveLength(receptions.length + 1);
  });

  it.each<[string, Reception]>([
    ['refuses', 'refuse'],
    ['redirects', 'redirect'],
    ['never answers', 'hang'],
  ])('is given up when it always %s', async (_what, reception) => {
    await using house = new BotHouse(reception, reception, reception);
    const attached = await dial(house);
    await callRegistry.until(() => attached.isReleased);
    expect(house.requests).toHaveLength(3);
    expect(logLines.join()).toContain('bot_unreachable');
    expect(logLines.join()).not.toContain('hush');
  });

  it('is given up when nobody lives there', async () => {
    const house = new BotHouse();
    const url = await house.open();
    await house[Symbol.asyncDispose]();
    const line = lineWith({ type: 'dial', url, headers: {} });
    const attached = ring(await answering(line), line);
    await callRegistry.until(() => attached?.isReleased);
    expect(logLines.join()).toContain('bot_unreachable');
  });

  it('is left alone when the call ends before it was reached', async () => {
    await using house = new BotHouse('hang');
    const attached = await dial(house);
    await house.until(() => house.requests.length === 1);
    const gone = new Promise<void>((resolve) => {
      house.requests[0]?.socket.once('close', () => resolve());
    });
    attached.bot.tell({ type: 'call-end', reason: 'hangup', durationMs: 5 });
    await gone;
    expect(attached.isReleased).toBe(true);
    expect(house.requests).toHaveLength(1);
    expect(logLines.join()).not.toContain('bot_unreachable');
  });

  it.each([
    ['vanishes', (bot: Awaited<ReturnType<BotHouse['nextBot']>>) => bot.socket.terminate()],
    ['hangs up on us', (bot: Awaited<ReturnType<BotHouse['nextBot']>>) => bot.socket.close(1000)],
    ['talks nonsense', (bot: Awaited<ReturnType<BotHouse['nextBot']>>) => bot.send('nonsense')],
  ])('loses the call when it %s, and is not dialled again', async (_what, leave) => {
    await using house = new BotHouse();
    const attached = await dial(house);
    const client = await house.nextBot();
    await client.next('call_start');
    leave(client);
    await callRegistry.until(() => attached.isReleased);
    expect(house.requests).toHaveLength(1);
  });
});
