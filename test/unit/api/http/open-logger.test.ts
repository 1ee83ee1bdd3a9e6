import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { openLogger } from '../../../../src/api/http/open-logger.ts';

/** What a log writes for one line with a key in it. */
async function written(format: 'auto' | 'json' | 'pretty', isTTY: boolean): Promise<string> {
  const output = Object.assign(new PassThrough(), { isTTY });
  const logger = openLogger({ level: 'info', format }, output);
  logger.debug('not asked for');
  logger.warn({ status: 200, headers: { 'xi-api-key': 'sk_secret' } }, 'request');
  await new Promise((done) => setImmediate(done));
  return String(output.read());
}

describe('the log', () => {
  it('is JSON where no person reads it', async () => {
    const line = await written('auto', false);
    expect(JSON.parse(line)).toMatchObject({ msg: 'request', status: 200 });
    expect(await written('json', true)).toMatch(/^\{/);
  });

  it('is one short line on a terminal, in colour', async () => {
    const line = await written('auto', true);
    expect(line).toMatch(/^\[\d\d:\d\d:\d\d\.\d{3}\] .*WARN.*request/);
    expect(line).toContain('\u001b[');
    expect(line.trimEnd().split('\n')).toHaveLength(1);
    expect(await written('pretty', false)).not.toContain('\u001b[');
  });

  it('holds no key, in either format', async () => {
    for (const format of ['json', 'pretty'] as const) {
      const line = await written(format, false);
      expect(line).toContain('[redacted]');
      expect(line).not.toContain('sk_secret');
    }
  });
});
