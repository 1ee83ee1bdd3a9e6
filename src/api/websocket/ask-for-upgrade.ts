import { SpeechError } from '../../domain/errors.ts';

/** What is needed of a reply over HTTP. */
interface UpgradeReply {
  headers(values: Readonly<Record<string, string>>): unknown;
}

/**
 * Answers a plain request to the address of a websocket: it must be told what is missing
 * (RFC 9110 §15.5.22).
 *
 * @param message what the address is, and how to connect to it.
 * @returns a handler that always throws SpeechError `upgrade_required`.
 */
export function askForUpgrade(
  message: string,
): (request: unknown, reply: UpgradeReply) => Promise<never> {
  return async (_request, reply) => {
    reply.headers({ upgrade: 'websocket', connection: 'upgrade' });
    throw new SpeechError('upgrade_required', message);
  };
}
