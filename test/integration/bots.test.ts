import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Line } from '../../src/phone/calls/line.ts';
import { BotClient } from '../support/bot-client.ts';
import { BotHouse } from '../support/bot-house.ts';
import { type PhoneCall, phoneCall } from '../support/phone-call.ts';
import { type PhoneServer, startPhoneServer } from '../support/phone-server.ts';
import { temporaryDir } from '../support/temporary-dir.ts';

/** 3 ms a symbol: a sentence is heard in a fraction of a second. */
const QUICK = 64;
const LINE = 'desk';
const ATTACH: Partial<Line> = {
  bot: { type: 'attach', waitMs: 20_000 },
  transfers: ['+1202555xxxx'],
};

let server: PhoneServer;

async function start(line: Partial<Line>, samplesPerSymbol: number | undefined = QUICK) {
  server = await startPhoneServer([{ ...line, lineId: LINE }], samplesPerSymbol);
}
afterEach(() => server[Symbol.asyncDispose]());

/** A call from the phone on the desk, in Twilio's language. */
async function ring(line = LINE): Promise<PhoneCall> {
  const target = { carrier: 'twilio', apiKey: 'sk_blue', from: '+12025550123' } as const;
  const call = await phoneCall(server.url, target, `/v1/lines/${line}/twilio`);
  onTestFinished(() => call.hangUp());
  return call;
}

function connect(path: string, key = 'sk_blue'): BotClient {
  const client = new BotClient(`${server.url.replace('http', 'ws')}/v1/calls${path}`, {
    'xi-api-key': key,
  });
  onTestFinished(() => client.socket.terminate());
  return client;
}

/** A bot that found the call in the lobby and took it. */
async function takeCall(): Promise<{ bot: BotClient; callId: string }> {
  const { call_id } = await connect('').next('call_waiting');
  const bot = connect(`/${String(call_id)}`);
  await bot.next('call_start');
  return { bot, callId: String(call_id) };
}

const inTurn = (text: string, contextId = 'turn-1') => ({
  text,
  context_id: contextId,
  close_context: true,
});

describe('a bot that attaches', () => {
  it('finds its call in the lobby, talks, listens, and hangs up', async () => {
    await start(ATTACH);
    const lobby = connect('');
    await lobby.opened();
    const { phone } = await ring();
    const waiting = await lobby.next('call_waiting');
    expect(waiting).toMatchObject({ line_id: LINE, carrier: 'twilio', from: '+12025550123' });
    const bot = connect(`/${String(waiting['call_id'])}`);
    expect(await bot.next('call_start')).toEqual({ ...waiting, type: 'call_start' });
    expect(await lobby.next('call_gone')).toMatchObject({ call_id: waiting['call_id'] });

    bot.send(inTurn('Hello there. '), { type: 'mark', name: 'said' });
    expect(await bot.next('context_end')).toEqual({ type: 'context_end', context_id: 'turn-1' });
    await bot.next('mark', ({ name }) => name === 'said');
    expect(server.spoken()).toContain('Hello there.');
    expect(phone.state.firstAudioAtMs).toBeDefined();

    phone.press('7');
    expect(await bot.next('dtmf')).toEqual({ type: 'dtmf', digit: '7' });
    bot.send({ type: 'listen', format: 'pcm_16000' });
    const { audio } = await bot.next('audio');
    expect(Buffer.from(String(audio), 'base64').length % 2).toBe(0);

    bot.send(inTurn('Goodbye.', 'turn-2'), { type: 'hang_up' });
    expect(await bot.next('call_end')).toMatchObject({ reason: 'completed' });
    expect(await bot.closed).toMatchObject({ code: 1000 });
    await phone.ended;
    expect(server.spoken()).toContain('Goodbye.');
    expect(phone.log.arrivals.length).toBeGreaterThan(0);
  });

  it('is told how far it was heard when it falls silent', async () => {
    await start(ATTACH, 1024);
    const call = await ring();
    const { bot } = await takeCall();
    bot.send(inTurn('One two three four five six seven eight nine ten. '));
    await call.hears(1000);
    bot.send({ type: 'clear' });
    const { contexts } = await bot.next('interruption', ({ cause }) => cause === 'clear');
    const [cut] = contexts as Array<Record<string, unknown>>;
    expect(cut).toMatchObject({ context_id: 'turn-1' });
    expect(String(cut?.['heard'])).toMatch(/^One\b/);
    expect(String(cut?.['unheard'])).toMatch(/ten\. ?$/);
    await call.isSilent();
    bot.send(inTurn('Yes?', 'turn-2'));
    await bot.next('context_end', ({ context_id }) => context_id === 'turn-2');
  });

  it('plays what it has recorded', async () => {
    await start(ATTACH);
    const call = await ring();
    const { bot } = await takeCall();
    bot.send(Buffer.alloc(1600, 0x80), { type: 'audio', audio: 'gICAgA==' });
    bot.send({ type: 'mark', name: 'played' });
    await bot.next('mark');
    expect(call.phone.state.firstAudioAtMs).toBeDefined();
  });

  it('passes the caller on', async () => {
    await start(ATTACH);
    const { phone } = await ring();
    const { bot } = await takeCall();
    const { carrier_call_id: id } = await bot.next('call_start');
    bot.send(inTurn('One moment.'), { type: 'transfer', to: '+12025550177' });
    await bot.next('call_end');
    await phone.ended;
    const call = { accountId: 'blue', lineId: LINE, carrierCallId: String(id) };
    expect(server.calls.takeTransfer(call)).toBe('+12025550177');
  });

  it('passes the caller on to nobody whom the line does not allow, and the call goes on', async () => {
    await start(ATTACH);
    await ring();
    const { bot } = await takeCall();
    bot.send({ type: 'transfer', to: '+19005550177' });
    expect(await bot.next('refusal')).toMatchObject({ error: 'transfer_not_allowed', param: 'to' });
    bot.send(inTurn('Still here.'));
    await bot.next('context_end');
  });

  it('is told what cannot be done, and goes on', async () => {
    await start(ATTACH);
    await ring();
    const { bot } = await takeCall();
    bot.send(
      inTurn('Goodbye, and take good care of yourself.'),
      { type: 'hang_up' },
      inTurn('x', 'b'),
    );
    expect(await bot.next('refusal')).toMatchObject({ context_id: 'b' });
    await bot.next('call_end');
  });

  it('hears nothing of the calls of others, and gets none of them', async () => {
    await start(ATTACH);
    const stranger = connect('', 'sk_red');
    await stranger.opened();
    await ring();
    const { call_id } = await connect('').next('call_waiting');
    const list = async (key: string) => {
      const reply = await fetch(`${server.url}/v1/calls`, { headers: { 'xi-api-key': key } });
      return ((await reply.json()) as { calls: unknown[] }).calls;
    };
    expect(await list('sk_blue')).toEqual([expect.objectContaining({ call_id })]);
    expect(await list('sk_red')).toEqual([]);
    expect(stranger.events).toEqual([]);
    const thief = connect(`/${String(call_id)}`, 'sk_red');
    expect(await thief.next('error')).toMatchObject({ error: 'not_found' });
    expect(await thief.closed).toMatchObject({ code: 1008 });
  });

  it('comes too late for a call that is taken, or over', async () => {
    await start(ATTACH);
    const call = await ring();
    const { bot, callId } = await takeCall();
    const second = connect(`/${callId}`);
    expect(await second.next('error')).toMatchObject({ error: 'call_taken', code: 1008 });
    await call.hangUp();
    expect(await bot.next('call_end')).toMatchObject({ reason: 'hangup' });
    const late = connect(`/${callId}`);
    expect(await late.next('error')).toMatchObject({ error: 'call_ended', code: 1000 });
    expect(await late.closed).toMatchObject({ code: 1000 });
  });

  it.each<[string, boolean, (bot: BotClient) => void]>([
    ['vanishes', true, (bot) => bot.socket.terminate()],
    ['vanishes', false, (bot) => bot.socket.terminate()],
    ['is sent away for nonsense', true, (bot) => bot.send('nonsense')],
  ])(
    'that %s leaves the caller to the plan of the line (%s)',
    async (_what, finishesSpeech, leave) => {
      await start({ ...ATTACH, botLoss: { finishesSpeech, apology: 'Pardon us.' } }, 1024);
      const call = await ring();
      const { bot } = await takeCall();
      const sentence = 'A sentence that takes a while until its end. '.repeat(
        finishesSpeech ? 1 : 6,
      );
      bot.send(inTurn(sentence));
      await call.hears(300);
      leave(bot);
      await call.phone.ended;
      expect(server.spoken()).toContain('Pardon us.');
      const heardMs = call.phone.log.arrivals.reduce((sum, { bytes }) => sum + bytes / 8, 0);
      const wholeMs = (sentence.length * 1024) / 22.05;
      expect(heardMs > wholeMs).toBe(finishesSpeech);
      expect(server.logLines.join('\n')).not.toMatch(/sentence that|Pardon us|\+1202555/);
    },
  );
});

describe('a bot that is dialled', () => {
  const dialled = (url: string): Partial<Line> => ({
    bot: { type: 'dial', url, headers: { authorization: 'Bearer hush' } },
    botLoss: { finishesSpeech: true, apology: 'Pardon us.' },
  });

  it('is the bot of the call', async () => {
    await using house = new BotHouse('refuse');
    await start(dialled(await house.open()));
    const { phone } = await ring();
    const bot = await house.nextBot();
    expect(await bot.next('call_start')).toMatchObject({ line_id: LINE, carrier: 'twilio' });
    // It is no longer there for others.
    expect(server.calls.callRegistry.waiting('blue')).toEqual([]);
    bot.send(inTurn('At your service.'));
    await bot.next('context_end');
    phone.press('5');
    await bot.next('dtmf');
    bot.send({ type: 'hang_up', when: 'now' });
    expect(await bot.next('call_end')).toMatchObject({ reason: 'completed' });
    expect(await bot.closed).toMatchObject({ code: 1000 });
    await phone.ended;
  });

  it('is apologised for when it cannot be reached', async () => {
    await using house = new BotHouse('refuse', 'redirect', 'refuse');
    await start(dialled(await house.open()));
    const { phone } = await ring();
    await phone.ended;
    expect(server.spoken()).toContain('Pardon us.');
    expect(house.requests).toHaveLength(3);
    expect(server.logLines.join('\n')).toContain('bot_unreachable');
    expect(server.logLines.join('\n')).not.toContain('hush');
  });

  it('is apologised for when it hangs up on the caller', async () => {
    await using house = new BotHouse();
    await start(dialled(await house.open()));
    const { phone } = await ring();
    const bot = await house.nextBot();
    bot.send(inTurn('I am leaving.'));
    await bot.next('context_end');
    bot.socket.close();
    await phone.ended;
    expect(server.spoken()).toMatch(/I am leaving\..*Pardon us\./);
  });

  it('is told when the caller hangs up', async () => {
    await using house = new BotHouse();
    await start(dialled(await house.open()));
    const call = await ring();
    const bot = await house.nextBot();
    await bot.next('call_start');
    await call.hangUp();
    expect(await bot.next('call_end')).toMatchObject({ reason: 'hangup' });
    expect(await bot.closed).toMatchObject({ code: 1000 });
  });
});

describe('the built-in bot', () => {
  /** Waits until something has been spoken. */
  const says = (call: PhoneCall, text: string) =>
    call.phone.until(() => server.spoken().includes(text));

  it('greets, reads back digits, and says goodbye', async () => {
    await start({});
    const call = await ring('default');
    await says(call, 'thank you for calling');
    // Whoever knows the menu need not hear it out.
    call.phone.press('1');
    await says(call, 'Please type your order number');
    for (const digit of '48213#') call.phone.press(digit);
    await says(call, 'You typed 4 8 2, 1 3.');
    call.phone.press('2');
    await says(call, 'Please type your order number, and then the pound key.');
    for (const digit of '12#') call.phone.press(digit);
    await says(call, 'An order number has three to twelve digits.');
    for (const digit of '0079#') call.phone.press(digit);
    await says(call, 'You typed 0 0 7 9.');
    call.phone.press('1');
    await says(call, 'Order 0 0 7 9 is on its way.');
    await says(call, 'For the main menu');
    call.phone.press('*');
    await says(call, 'To end the call, press 9.');
    call.phone.press('9');
    await call.phone.ended;
    expect(server.spoken()).toMatch(/Goodbye\. ?$/);
    expect(server.logLines.join('\n')).not.toMatch(/48213|4 8 2|thank you|\+1202555/i);
  });

  it('gives up on a caller who does nothing, and transfers one who asks for it', async () => {
    const menuFile = join(temporaryDir(), 'menu.yaml');
    writeFileSync(
      menuFile,
      `
timeout_s: 0.5
timeout: { say: Hello?, retries: 1, goto: desk }
states:
  ask: { say: Any key., keys: { "1": ask } }
  desk: { say: One moment., transfer: "+12025550177" }
`,
    );
    await start({ bot: { type: 'menu', menuFile } });
    const { phone } = await ring();
    await phone.ended;
    expect(server.spoken()).toMatch(/Any key\. ?Hello\? Any key\. ?One moment\./);
    const carrierCallId = server.records[0]?.start.carrierCallId ?? '';
    const asked = { accountId: 'blue', lineId: LINE, carrierCallId };
    expect(server.calls.takeTransfer(asked)).toBe('+12025550177');
  });
});
