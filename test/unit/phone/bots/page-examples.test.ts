import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { decodeBotMessage } from '../../../../src/phone/bots/bot-dialect.ts';
import { readMenu } from '../../../../src/phone/bots/menu/read-menu.ts';
import { readLines } from '../../../../src/phone/lines/read-lines.ts';
import { temporaryDir } from '../../../support/temporary-dir.ts';

const page = readFileSync(new URL('../../../../src/phone/BOTS.md', import.meta.url), 'utf8');
const yaml = [...page.matchAll(/```yaml\n(.*?)```/gs)].map(([, text = '']) => text);

describe('the page about bots', () => {
  it('shows a lines file that can be used', async () => {
    const folder = temporaryDir();
    const file = join(folder, 'lines.yaml');
    mkdirSync(join(folder, 'secrets'));
    writeFileSync(join(folder, 'secrets/bot'), 'Bearer x');
    writeFileSync(join(folder, 'secrets/twilio-auth-token'), 'x');
    writeFileSync(file, yaml.find((text) => text.startsWith('lines:')) ?? '');
    expect((await readLines(file)).find('support')).toMatchObject({ bot: { type: 'dial' } });
  });

  it('shows a menu that can be used', () => {
    const menu = readMenu(yaml.find((text) => text.includes('\nstates:')) ?? '', 'BOTS.md');
    expect(menu.states.size).toBe(5);
  });

  it('shows messages that are understood', () => {
    const rows = page.split('\n').filter((line) => line.startsWith('| `{'));
    const messages = rows.flatMap((row) =>
      [...row.matchAll(/`(\{.*?\})`/g)].map(([, text = '']) => text),
    );
    expect(messages.length).toBeGreaterThan(8);
    // "base64" stands for some, and is some.
    for (const message of messages) expect(decodeBotMessage(message).length, message).toBe(1);
  });
});
