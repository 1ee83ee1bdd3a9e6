import type { DeskPhone } from '../../src/tools/desk-phone/desk-phone.ts';
import { dial } from '../../src/tools/desk-phone/place-call.ts';
import type { ServerProcess } from '../latency/server-process.ts';
import { CallBot, Lobby } from './call-bot.ts';

/** The line whose bots attach by themselves; see `startPhoneServer`. */
export const LINE = 'bench';

/** One call: the caller's phone, played by the simulated carrier, and the bot that answers it. */
export interface BenchCall {
  readonly phone: DeskPhone;
  readonly bot: CallBot;
}

/**
 * Places calls over the Twilio side and has a bot take each; then lets the voice of each speak once,
 * so that nothing is cold.
 */
export async function openCalls(server: ServerProcess, count: number): Promise<BenchCall[]> {
  const lobby = await Lobby.enter(server);
  const calls: BenchCall[] = [];
  for (let index = 0; index < count; index++) {
    const bench = crypto.randomUUID();
    const phone = await dial({
      carrier: 'twilio',
      url: new URL(`ws://127.0.0.1:${server.port}/v1/lines/${LINE}/twilio`),
      apiKey: server.apiKey,
      parameters: { bench },
    });
    const bot = await CallBot.take(server, await lobby.callOf(bench));
    await bot.heard(bot.say('Hello.'));
    calls.push({ phone, bot });
  }
  lobby.leave();
  return calls;
}

/** Hangs up every call. @throws Error with the words of whatever the server refused. */
export async function closeCalls(calls: readonly BenchCall[]): Promise<void> {
  for (const { phone } of calls) phone.hangUp();
  await Promise.all(calls.map(({ phone }) => phone.ended));
  for (const { bot } of calls) bot.close();
  const refusals = calls.flatMap(({ bot }) => bot.refusals);
  if (refusals.length > 0) throw new Error(`The server refused: ${refusals[0]}`);
}

/** When the first audio after a moment came; both in `performance.now()`. */
export async function nextAudioMs({ phone }: BenchCall, afterMs: number): Promise<number> {
  const isNext = ({ atMs }: { readonly atMs: number }) => phone.startMs + atMs >= afterMs;
  await phone.until(({ log }) => log.arrivals.some(isNext));
  const arrival = phone.log.arrivals.find(isNext);
  if (!arrival) throw new Error(`The call ended: ${phone.log.ending?.reason}`);
  return phone.startMs + arrival.atMs;
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
