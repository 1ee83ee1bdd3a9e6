import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseOutputFormat } from '../../src/domain/audio.ts';
import { SAMPLE_CODECS } from '../../src/synthesis/audio/codec.ts';
import { readWav, wavFile } from '../../src/synthesis/audio/wav.ts';

const FORMAT = parseOutputFormat('pcm_8000');

/** What a SIP phone is to do. */
export interface SipCall {
  /** Such as `sip:websocket@127.0.0.1:5060`. */
  readonly address: string;
  readonly sipPort: number;
  /** What the caller says, in [-1, 1] at 8 kHz. */
  readonly says: Float32Array;
  readonly seconds: number;
}

/** Calls with a real SIP phone (baresip), and returns what was heard at its end, at 8 kHz. */
export async function callBySip(root: string, call: SipCall): Promise<Float32Array> {
  mkdirSync(join(root, 'run', 'sidetone'), { recursive: true });
  const folder = mkdtempSync(join(root, 'run', 'sidetone', 'phone-'));
  const inside = join('/run/sidetone', basename(folder));
  try {
    writeFileSync(
      join(folder, 'in.wav'),
      wavFile(FORMAT, SAMPLE_CODECS.pcm.encode(lineInput(call))),
    );
    writeFileSync(join(folder, 'config'), configuration(inside, call.sipPort));
    writeFileSync(
      join(folder, 'accounts'),
      `<sip:phone@127.0.0.1:${call.sipPort};transport=udp>;regint=0;audio_codecs=pcmu/8000/1\n`,
    );
    writeFileSync(join(folder, 'contacts'), '');
    const dial = ['-f', inside, '-e', `/dial ${call.address}`, '-t', String(call.seconds)];
    const phone = spawn('chroot', [root, 'baresip', ...dial], { stdio: 'ignore' });
    await once(phone, 'exit');
    return readWav(readFileSync(join(folder, 'out.wav'))).samples;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The phone hangs up where its file ends, so silence follows what the caller says. */
function lineInput({ says, seconds }: SipCall): Float32Array {
  const input = new Float32Array(Math.max(says.length, seconds * FORMAT.sampleRate));
  input.set(says);
  return input;
}

function configuration(folder: string, sipPort: number): string {
  return [
    'module_path /usr/lib/baresip/modules',
    `sip_listen 127.0.0.1:${sipPort}`,
    `audio_source aufile,${folder}/in.wav`,
    `audio_player aufile,${folder}/out.wav`,
    'rtp_ports 21000-21100',
    'module g711.so',
    'module aufile.so',
    'module account.so',
    'module_app menu.so',
    '',
  ].join('\n');
}
