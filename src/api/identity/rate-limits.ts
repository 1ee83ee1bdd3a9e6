import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { SpeechError } from '../../domain/errors.ts';

/** Short, so that a burst is stopped soon and a caller who ran into the limit waits for seconds only. */
const WINDOW_S = 10;
const WINDOWS_A_MINUTE = 60 / WINDOW_S;
/** The part of an IPv6 address that a provider gives to one customer (RFC 6177). */
const IPV6_NETWORK_GROUPS = 4;
/** A key that was let in so recently is not held up by the failures of its neighbours. */
const VOUCHED_S = 600;

export interface RateLimitSettings {
  /** Requests a minute that an address may make without a valid key. */
  readonly keylessPerMinute: number;
  /** Requests a minute, upgrades included, that one key may make. */
  readonly keyedPerMinute: number;
}

/** How often each address and each key may ask. Kept in memory, by each process for itself. */
export class RateLimits {
  readonly #keyless: RateLimiterMemory;
  readonly #keyed: RateLimiterMemory;
  readonly #vouched = new RateLimiterMemory({ points: 1, duration: VOUCHED_S });

  constructor({ keylessPerMinute, keyedPerMinute }: RateLimitSettings) {
    this.#keyless = limiter(keylessPerMinute);
    this.#keyed = limiter(keyedPerMinute);
  }

  /** Counts a request without a valid key. @throws SpeechError `rate_limit_exceeded`. */
  async countKeyless(address: string | undefined): Promise<void> {
    await consume(this.#keyless, networkOf(address), 'without a valid API key from this address');
  }

  /**
   * To be called before a key is looked up, or waited for.
   * @param keyHash of the key, if there is one yet. One that was valid lately passes.
   * @throws SpeechError `rate_limit_exceeded` when the address has used up what it has without a key.
   */
  async assertMayTry(address: string | undefined, keyHash?: string): Promise<void> {
    const used = await this.#keyless.get(networkOf(address));
    if (!used || used.consumedPoints < this.#keyless.points) return;
    if (keyHash !== undefined && (await this.#vouched.get(keyHash))) return;
    throw tooOften(used.msBeforeNext, 'without a valid API key from this address');
  }

  /** Counts a request with a valid key. @throws SpeechError `rate_limit_exceeded`. */
  async countKeyed(keyHash: string): Promise<void> {
    await this.#vouched.set(keyHash, 1, VOUCHED_S);
    await consume(this.#keyed, keyHash, 'with this API key');
  }
}

function limiter(perMinute: number): RateLimiterMemory {
  return new RateLimiterMemory({
    points: Math.ceil(perMinute / WINDOWS_A_MINUTE),
    duration: WINDOW_S,
  });
}

async function consume(limiter: RateLimiterMemory, name: string, whose: string): Promise<void> {
  try {
    await limiter.consume(name);
  } catch (thrown) {
    if (thrown instanceof RateLimiterRes) throw tooOften(thrown.msBeforeNext, whose);
    throw thrown;
  }
}

function tooOften(waitMs: number, whose: string): SpeechError {
  const retryAfterS = Math.max(1, Math.ceil(waitMs / 1000));
  return new SpeechError(
    'rate_limit_exceeded',
    `Too many requests ${whose}. Wait ${retryAfterS} s, and send fewer.`,
    { retryAfterS },
  );
}

/** An IPv4 address as it is; of an IPv6 address its network, whose owner has all addresses in it. */
function networkOf(address = 'unknown'): string {
  const [, ipv4] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? [];
  if (ipv4 !== undefined || !address.includes(':')) return ipv4 ?? address;
  const [head = '', tail] = address.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  const groups = [...before, ...new Array<string>(zeros).fill('0'), ...after];
  return groups.slice(0, IPV6_NETWORK_GROUPS).join(':');
}
