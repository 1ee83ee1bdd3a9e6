import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { readVoiceSettings } from '../../api/wire/voice-settings.ts';
import type { CarrierName } from '../../domain/carrier.ts';
import type { LatencyLevel } from '../../synthesis/text/chunk-policy.ts';
import type { BotSource, Line } from '../calls/line.ts';
import { YamlError, YamlFile } from './checked-yaml.ts';
import { headerComplaint, lineComplaints } from './line-complaints.ts';
import { DEFAULT_LINE, LineRegistry } from './line-registry.ts';
import { LinesFileSchema, type WrittenLine } from './line-schemas.ts';
import { openSecret } from './secrets.ts';
import type { YamlComplaint } from './yaml-complaint.ts';

const DEFAULT_BOT_WAIT_S = 10;
const BUILT_IN_MENU = 'built-in';

/** Collects what is wrong while everything else is still read. */
type Complain = (path: YamlComplaint['path'], message: string) => void;

/**
 * Reads the lines file. Paths in it are taken from its own folder; files of secrets are read now,
 * so that a missing one is found at the start and not during a call.
 *
 * @param file undefined when there is none: then there is the default line only.
 * @throws YamlError that names each fault with its line and field, and repeats no secret.
 */
export async function readLines(file: string | undefined): Promise<LineRegistry> {
  if (file === undefined) return new LineRegistry();
  const yaml = new YamlFile(await readText(file), file);
  const { lines } = yaml.read(LinesFileSchema);
  const complaints: YamlComplaint[] = [...lineComplaints(lines)];
  const read = await Promise.all(
    lines.map((line, index) =>
      toLine(line, dirname(resolve(file)), (path, message) =>
        complaints.push({ path: ['lines', index, ...path], message }),
      ),
    ),
  );
  if (complaints.length > 0) throw yaml.refusal(complaints);
  return new LineRegistry(read);
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    throw new YamlError([`${file}: the lines file cannot be read (${code}).`]);
  }
}

async function toLine(written: WrittenLine, folder: string, complain: Complain): Promise<Line> {
  const { barge_in: bargeIn = {}, bot_loss: botLoss = {} } = written;
  const secrets = await openAll(written.secrets ?? {}, ['secrets'], folder, complain);
  return {
    lineId: written.id,
    keyId: written.key_id,
    voiceId: written.voice_id,
    modelId: written.model_id,
    voiceSettings: readVoiceSettings(written.voice_settings ?? {}),
    latencyLevel: (written.latency_level ?? DEFAULT_LINE.latencyLevel) as LatencyLevel,
    bot: await botSource(written.bot ?? {}, folder, complain),
    bargeIn: { onSpeech: bargeIn.speech ?? false, onDtmf: bargeIn.dtmf ?? false },
    botLoss: {
      finishesSpeech: botLoss.finish_speech ?? DEFAULT_LINE.botLoss.finishesSpeech,
      apology: botLoss.apology,
    },
    transfers: written.transfers,
    secrets: secrets as Partial<Record<CarrierName, string>>,
  };
}

async function botSource(
  { attach, dial, menu }: NonNullable<WrittenLine['bot']>,
  folder: string,
  complain: Complain,
): Promise<BotSource> {
  if (dial) {
    const path = ['bot', 'dial', 'headers'];
    const headers = await openAll(dial.headers ?? {}, path, folder, complain);
    for (const [name, value] of Object.entries(headers)) {
      const message = headerComplaint(name, value);
      if (message) complain([...path, name], message);
    }
    return { type: 'dial', url: dial.url, headers };
  }
  if (menu !== undefined) {
    const menuFile = menu === BUILT_IN_MENU ? undefined : resolve(folder, menu);
    return { type: 'menu', menuFile };
  }
  return { type: 'attach', waitMs: 1000 * (attach?.wait_s ?? DEFAULT_BOT_WAIT_S) };
}

async function openAll(
  written: Readonly<Record<string, Parameters<typeof openSecret>[0] | undefined>>,
  path: YamlComplaint['path'],
  folder: string,
  complain: Complain,
): Promise<Readonly<Record<string, string>>> {
  const opened = await Promise.all(
    Object.entries(written).map(async ([name, secret]) => {
      if (secret === undefined) return [name, ''] as const;
      try {
        return [name, await openSecret(secret, folder)] as const;
      } catch (thrown) {
        complain([...path, name], (thrown as Error).message);
        return [name, ''] as const;
      }
    }),
  );
  return Object.fromEntries(opened);
}
