import type { ServerProcess } from '../latency/server-process.ts';
import { type BenchCall, pause } from './bench-call.ts';

const SECONDS = 10;
const BYTES_PER_SECOND = 8000;

export interface BridgeCost {
  readonly calls: number;
  /** Share of one core, for each call, above what the server takes without any; null without `/proc`. */
  readonly silentCoreShare: number | null;
  readonly playingCoreShare: number | null;
  readonly eventLoopDelayP99Ms: number;
}

/** What the server takes when nobody is on the line: cores. */
export async function idleCores(server: ServerProcess): Promise<number | null> {
  return coresOver(server, SECONDS, async () => {});
}

/**
 * What the bridge itself takes for each call: first while nobody speaks but the caller's audio comes
 * in, then while bots play audio that is encoded already, so that nothing is synthesised.
 */
export async function measureBridge(
  server: ServerProcess,
  calls: readonly BenchCall[],
  idle: number | null,
): Promise<BridgeCost> {
  const silent = await coresOver(server, SECONDS, async () => {});
  const playing = await coresOver(server, SECONDS, async () => {
    for (const { bot } of calls) {
      for (let second = 0; second <= SECONDS; second++) bot.play(tone());
    }
  });
  const share = (cores: number | null) =>
    cores === null || idle === null ? null : (cores - idle) / calls.length;
  return {
    calls: calls.length,
    silentCoreShare: share(silent),
    playingCoreShare: share(playing),
    eventLoopDelayP99Ms: (await server.health()).eventLoop.delayP99Ms,
  };
}

async function coresOver(
  server: ServerProcess,
  seconds: number,
  begin: () => Promise<void>,
): Promise<number | null> {
  const before = server.cpuSeconds();
  const startMs = performance.now();
  await begin();
  await pause(1000 * seconds);
  const after = server.cpuSeconds();
  if (before === null || after === null) return null;
  return (after - before) / ((performance.now() - startMs) / 1000);
}

/** A second of a quiet tone in mu-law; what is in it makes no difference to a bridge. */
function tone(): Uint8Array {
  return Uint8Array.from({ length: BYTES_PER_SECOND }, (_, index) =>
    index % 16 < 8 ? 0xc0 : 0x40,
  );
}
