import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { YamlError } from '../../../../src/phone/lines/checked-yaml.ts';
import { DEFAULT_LINE } from '../../../../src/phone/lines/line-registry.ts';
import { readLines } from '../../../../src/phone/lines/read-lines.ts';
import { temporaryDir } from '../../../support/temporary-dir.ts';

/** Writes files into one folder, the lines file among them, and reads that. */
async function read(text: string, files: Readonly<Record<string, string>> = {}) {
  const folder = temporaryDir();
  for (const [name, content] of Object.entries({ ...files, 'lines.yaml': text })) {
    writeFileSync(join(folder, name), content);
  }
  return { folder, lineRegistry: await readLines(join(folder, 'lines.yaml')) };
}

/** The complaints about a file, without the folder. */
async function complaints(text: string, files: Readonly<Record<string, string>> = {}) {
  const failure = await read(text, files).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(failure).toBeInstanceOf(YamlError);
  const { problems, message } = failure as YamlError;
  expect(message).toBe(problems.join('\n'));
  return problems.map((problem) => problem.replace(/^.*lines\.yaml/, 'lines.yaml'));
}

const FULL = `
lines:
  - id: support
    key_id: 5f3c
    voice_id: aaaaaaaaaaaaaaaaaaaa
    model_id: eleven_flash_v2_5
    voice_settings: { speed: 1.1, stability: 0.4, use_speaker_boost: false }
    latency_level: 1
    bot:
      dial:
        url: wss://bot.example.com/calls?audio=binary
        headers:
          authorization: { file: bot-token }
          x-tenant: blue
    barge_in: { speech: true, dtmf: true }
    bot_loss: { finish_speech: false, apology: "Sorry, something went wrong." }
    transfers: ["+1202555xxxx", "2xx", "+49*", "sip:*@pbx.example.com"]
    secrets:
      twilio: { file: twilio-token }
      plivo: in the file itself
  - id: menu
    bot: { menu: menus/reception.yaml }
  - id: stock
    bot: { menu: built-in }
  - id: patient
    bot: { attach: { wait_s: 2.5 } }
  - id: plain
`;

describe('a lines file', () => {
  it('may be absent: then there is the default line, for every valid key', async () => {
    const lineRegistry = await readLines(undefined);
    expect(lineRegistry.lines).toEqual([DEFAULT_LINE]);
    expect(lineRegistry.find('default')).toMatchObject({ bot: { type: 'menu' }, secrets: {} });
    expect(lineRegistry.find('other')).toBeUndefined();
    expect(lineRegistry.find('__proto__')).toBeUndefined();
  });

  it('says everything about a line', async () => {
    const { lineRegistry } = await read(FULL, {
      'bot-token': 'Bearer abc\n',
      'twilio-token': '-----BEGIN KEY-----\nabc\n-----END KEY-----\n',
    });
    expect(lineRegistry.find('support')).toEqual({
      lineId: 'support',
      keyId: '5f3c',
      voiceId: 'aaaaaaaaaaaaaaaaaaaa',
      modelId: 'eleven_flash_v2_5',
      voiceSettings: { speed: 1.1, stability: 0.4, useSpeakerBoost: false },
      latencyLevel: 1,
      bot: {
        type: 'dial',
        url: 'wss://bot.example.com/calls?audio=binary',
        headers: { authorization: 'Bearer abc', 'x-tenant': 'blue' },
      },
      bargeIn: { onSpeech: true, onDtmf: true },
      botLoss: { finishesSpeech: false, apology: 'Sorry, something went wrong.' },
      transfers: ['+1202555xxxx', '2xx', '+49*', 'sip:*@pbx.example.com'],
      secrets: {
        twilio: '-----BEGIN KEY-----\nabc\n-----END KEY-----',
        plivo: 'in the file itself',
      },
    });
  });

  it('fills in what is left out', async () => {
    const { lineRegistry, folder } = await read(FULL, { 'bot-token': 'a', 'twilio-token': 'b' });
    expect(lineRegistry.find('plain')).toEqual({
      ...DEFAULT_LINE,
      lineId: 'plain',
      bot: { type: 'attach', waitMs: 10_000 },
    });
    expect(lineRegistry.find('patient')?.bot).toEqual({ type: 'attach', waitMs: 2500 });
    expect(lineRegistry.find('stock')?.bot).toEqual({ type: 'menu', menuFile: undefined });
    expect(lineRegistry.find('menu')?.bot).toEqual({
      type: 'menu',
      menuFile: join(folder, 'menus/reception.yaml'),
    });
    expect(lineRegistry.find('default')).toEqual(DEFAULT_LINE);
  });

  it('may replace the default line', async () => {
    const { lineRegistry } = await read('lines: [{ id: default, latency_level: 0 }]');
    expect(lineRegistry.lines).toHaveLength(1);
    expect(lineRegistry.find('default')).toMatchObject({
      latencyLevel: 0,
      bot: { type: 'attach' },
    });
  });

  it('that cannot be read is named', async () => {
    await expect(readLines('/nowhere/lines.yaml')).rejects.toThrow(
      '/nowhere/lines.yaml: the lines file cannot be read (ENOENT).',
    );
  });
});

describe('a lines file that cannot be used names file, line and field', () => {
  const line = (...rows: readonly string[]) =>
    ['lines:', '  - id: one', ...rows.map((row) => `    ${row}`)].join('\n');

  it.each([
    ['no list', 'lines: 5', 'lines.yaml:1: lines must be a list of lines.'],
    ['nothing', '', 'lines.yaml:1: must be a map of keys.'],
    ['no YAML', 'lines: [', /^lines\.yaml:1: this is not YAML: /],
    [
      'a repeated key',
      line('voice_id: a', 'voice_id: b'),
      /^lines\.yaml:4: this is not YAML: .*unique/,
    ],
    ['an unknown alias', line('voice_id: *nobody'), /^lines\.yaml:1: this is not YAML: .*alias/],
    [
      'an unknown key',
      line('voice: x'),
      /^lines\.yaml:3: lines\[0\]\.voice is not a key that is known here\. Known are id, key_id/,
    ],
    ['a missing id', 'lines:\n  - voice_id: a', 'lines.yaml:2: lines[0] lacks id.'],
    [
      'an id of other letters',
      'lines: [{ id: Ünicode }]',
      /^lines\.yaml:1: lines\[0\]\.id must be up to 64 small letters/,
    ],
    [
      'a number for text',
      line('voice_id: 5'),
      'lines.yaml:3: lines[0].voice_id must be text: put it in quotes.',
    ],
    [
      'a level out of range',
      line('latency_level: 7'),
      'lines.yaml:3: lines[0].latency_level must be a whole number from 0 to 4.',
    ],
    [
      'a speed out of range',
      line('voice_settings:', '  speed: 3'),
      'lines.yaml:4: lines[0].voice_settings.speed must be a number from 0.7 to 1.2.',
    ],
    [
      'a word for a truth',
      line('barge_in: { speech: yes please }'),
      'lines.yaml:3: lines[0].barge_in.speech must be true or false.',
    ],
    [
      'two bots',
      line('bot: { attach: {}, menu: built-in }'),
      'lines.yaml:3: lines[0].bot must have exactly one of attach, dial and menu.',
    ],
    [
      'no bot',
      line('bot: {}'),
      'lines.yaml:3: lines[0].bot must have exactly one of attach, dial and menu.',
    ],
    [
      'a bot by http',
      line('bot:', '  dial:', '    url: https://bot.example.com'),
      'lines.yaml:5: lines[0].bot.dial.url must be a ws:// or wss:// address, as text.',
    ],
    [
      'an address that is none',
      line('bot: { dial: { url: "wss://" } }'),
      /dial\.url is not an address/,
    ],
    [
      'an address with a fragment',
      line('bot: { dial: { url: "wss://a#b" } }'),
      /dial\.url must not have a part behind #/,
    ],
    [
      'an odd header',
      line('bot: { dial: { url: "wss://a", headers: { "a b": c } } }'),
      /headers\.a b is not the name of an HTTP header/,
    ],
    [
      'a header of the handshake',
      line('bot: { dial: { url: "wss://a", headers: { Host: c } } }'),
      /headers\.Host is a header that the websocket sets itself/,
    ],
    [
      'a secret that is a number',
      line('key_id: k', 'secrets: { twilio: 5 }'),
      'lines.yaml:4: lines[0].secrets.twilio must be the secret as text, or {file: path}: put it in quotes.',
    ],
    [
      'a pattern that is none',
      line('transfers: ["call me"]'),
      /transfers must be any, or a list of numbers/,
    ],
    [
      'a secret of nobody',
      line('key_id: k', 'secrets: { acme: x }'),
      /secrets\.acme is not a key that is known here\. Known are twilio,/,
    ],
    [
      'a secret in no file',
      line('key_id: k', 'secrets: { twilio: { file: gone } }'),
      /secrets\.twilio names a file that cannot be read \(ENOENT\)/,
    ],
    [
      'a duplicate',
      `${line()}\n  - id: one`,
      /^lines\.yaml:3: lines\[1\]\.id is "one" a second time/,
    ],
  ])('%s', async (_what, text, expected) => {
    const problems = await complaints(text);
    expect(problems).toHaveLength(1);
    if (typeof expected === 'string') expect(problems[0]).toBe(expected);
    else expect(problems[0]).toMatch(expected);
  });

  it('all of its faults at once', async () => {
    const text = line('latency_level: -1', 'bot: { dail: {} }', 'voice_settings: { stability: x }');
    expect(await complaints(text)).toHaveLength(3);
  });

  it('without repeating secrets', async () => {
    const text = line(
      'bot:',
      '  dial:',
      '    url: wss://a',
      '    headers:',
      '      authorization: { file: token }',
      '      x-other: "hush\\nhush"',
      'secrets: { twilio: { file: empty } }',
    );
    const problems = await complaints(text, { token: 'hush\nhush', empty: '\n' });
    expect(problems).toHaveLength(3);
    expect(problems.join()).not.toContain('hush');
    expect(problems.join()).toContain('authorization holds characters that an HTTP header cannot');
    expect(problems.join()).toContain('twilio names a file that is empty.');
  });
});
