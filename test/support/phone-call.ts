import { type CallReport, reportOf } from '../../src/tools/desk-phone/call-report.ts';
import type { DeskPhone } from '../../src/tools/desk-phone/desk-phone.ts';
import { type CallTarget, dial } from '../../src/tools/desk-phone/place-call.ts';

/** A call that is going on; it is hung up when the test is done with it. */
export interface PhoneCall extends AsyncDisposable {
  readonly phone: DeskPhone;
  readonly report: CallReport;
  /** Waits until so much has been heard, or the call is over. */
  hears(ms: number): Promise<void>;
  /** Waits until nothing is heard, or the call is over. */
  isSilent(): Promise<void>;
  hangUp(): Promise<void>;
}

/**
 * Calls a server in this process from the phone on the desk, which plays the carrier's side.
 * @param url of the server, such as `http://127.0.0.1:8080`; `path` stands in for the usual one.
 */
export async function phoneCall(
  url: string,
  target: Omit<CallTarget, 'url'>,
  path = `/v1/lines/default/${target.carrier}`,
): Promise<PhoneCall> {
  const phone = await dial({ ...target, url: new URL(url.replace(/^http/, 'ws') + path) });
  const heardMs = () => phone.log.arrivals.reduce((sum, { bytes }) => sum + bytes, 0) / bytesPerMs;
  const bytesPerMs = phone.log.format.bitsPerSecond / 8000;
  const hangUp = async () => {
    phone.hangUp();
    await phone.ended;
  };
  return {
    phone,
    get report() {
      return reportOf(phone.log);
    },
    hears: (ms) => phone.until((it) => heardMs() - queuedMs(it) >= ms),
    isSilent: () =>
      phone.until(({ state }) => state.firstAudioAtMs !== undefined && !state.isPlaying),
    hangUp,
    [Symbol.asyncDispose]: hangUp,
  };
}

function queuedMs({ log }: DeskPhone): number {
  return log.arrivals.at(-1)?.queuedMs ?? 0;
}
