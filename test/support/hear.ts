import alawmulaw from 'alawmulaw';
import { openRecogniser, type Recogniser } from './recogniser.ts';

const TELEPHONE_SAMPLE_RATE = 8000;
const FULL_SCALE = 32_768;

let opened: Promise<Recogniser> | undefined;

/**
 * What a person at the other end of the line would write down. The recogniser is opened once per
 * test file and kept.
 * @param bytes `ulaw_8000` as it came off the wire (ITU-T G.711).
 */
export async function hear(bytes: Uint8Array): Promise<string> {
  opened ??= openRecogniser();
  const recogniser = await opened;
  const samples = Float32Array.from(alawmulaw.mulaw.decode(bytes), (sample) => sample / FULL_SCALE);
  return recogniser.transcribe(samples, TELEPHONE_SAMPLE_RATE);
}
