import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import { type ServerFrame, StreamClient } from '../../support/stream-client.ts';
import { type Checks, check } from './checks.ts';

/** One line of a file in test/fixtures/clients, whose README says what each means. */
type Step =
  | { readonly about: string }
  | { readonly connect: Connection }
  | { readonly refused: Connection & { readonly status: number } }
  | { readonly send: object }
  | { readonly waitMs: number }
  | { readonly await: Readonly<Record<string, unknown>> }
  | { readonly awaitBinary: number }
  | { readonly hangUp: true }
  | { readonly expect: Checks };

interface Connection {
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
}

const CLIENTS = new URL('../../fixtures/clients/', import.meta.url);

/**
 * Plays what a client sends against a server, and checks what the client needs back.
 * @param origin up to and with the voice id, such as `ws://host/v1/text-to-speech/{voice_id}`.
 */
export async function replay(file: string, origin: string, key: string): Promise<void> {
  const lines = readFileSync(new URL(file, CLIENTS), 'utf8').replaceAll('{key}', key).trim();
  let client: StreamClient | undefined;
  for (const [index, line] of lines.split('\n').entries()) {
    try {
      client = await take(JSON.parse(line) as Step, client, origin);
    } catch (cause) {
      throw new Error(`${file}:${index + 1}: ${(cause as Error).message}`, { cause });
    }
  }
}

/** @returns the connection that the next step is about. */
async function take(
  step: Step,
  client: StreamClient | undefined,
  origin: string,
): Promise<StreamClient | undefined> {
  if ('about' in step) return client;
  if ('connect' in step) return connect(step.connect, origin);
  if ('refused' in step) {
    await expect(connect(step.refused, origin)).rejects.toThrow(String(step.refused.status));
    return client;
  }
  if (!client) throw new Error('The first step must connect.');
  if ('send' in step) client.send(step.send);
  else if ('waitMs' in step) await new Promise((resolve) => setTimeout(resolve, step.waitMs));
  else if ('await' in step) await client.until((frame) => hasFields(frame, step.await));
  else if ('awaitBinary' in step) await client.untilBinary(step.awaitBinary);
  else if ('hangUp' in step) client.socket.terminate();
  else await check(client, step.expect);
  return client;
}

async function connect(
  { path, query, headers }: Connection,
  origin: string,
): Promise<StreamClient> {
  const address = path.startsWith('/') ? new URL(origin).origin + path : `${origin}/${path}`;
  const client = new StreamClient(`${address}?${query}`, { ...headers });
  await client.opened();
  return client;
}

function hasFields(frame: ServerFrame, fields: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(fields).every(([name, wanted]) => {
    const value = frame[name as keyof ServerFrame];
    return wanted === '*' ? value != null : isDeepStrictEqual(value, wanted);
  });
}
