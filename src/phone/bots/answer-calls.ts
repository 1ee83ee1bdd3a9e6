import { readFile } from 'node:fs/promises';
import type { FastifyBaseLogger } from 'fastify';
import { toSpeechError } from '../../domain/errors.ts';
import type { Bot, BotHold, CallRecord } from '../calls/call-messages.ts';
import type { AnswerCall } from '../calls/call-services.ts';
import type { BotSource, Line } from '../calls/line.ts';
import { allowsTransfer } from '../calls/transfer-rule.ts';
import { YamlError } from '../lines/checked-yaml.ts';
import { DIAL_SETTINGS, DialledBot, type DialSettings } from './dialled-bot.ts';
import { builtInMenu } from './menu/built-in-menu.ts';
import { type Menu, transferTargets } from './menu/menu.ts';
import { MenuBot } from './menu/menu-bot.ts';
import { readMenu } from './menu/read-menu.ts';

export interface AnswerOptions {
  /** Every line there is: their menus are read at once, so that a wrong one is found at the start. */
  readonly lines: readonly Line[];
  readonly log: Pick<FastifyBaseLogger, 'info' | 'warn'>;
  /** `DIAL_SETTINGS` unless given. */
  readonly dialSettings?: DialSettings;
}

/** A bot that knows what to do once it has its call. */
interface JoiningBot extends Bot {
  join(hold: BotHold): void;
}

/**
 * Takes the calls of lines whose bot is dialled or built in; those of other lines wait for a bot to
 * attach by itself.
 *
 * @throws YamlError when a menu file cannot be used.
 */
export async function answerCalls(options: AnswerOptions): Promise<AnswerCall> {
  const { lines, log, dialSettings = DIAL_SETTINGS } = options;
  const menus = await readMenus(lines);
  assertTransfersAllowed(lines, menus);
  return (call, line, attach) => {
    const bot = botOf(line.bot, call, { menus, log, dialSettings });
    if (!bot) return;
    try {
      bot.join(attach(bot));
    } catch (thrown) {
      // The caller was faster: gone, before anybody could answer.
      log.warn({ callId: call.callId, error: toSpeechError(thrown).code }, 'call not answered');
    }
  };
}

interface BotParts {
  readonly menus: ReadonlyMap<string, Menu>;
  readonly log: AnswerOptions['log'];
  readonly dialSettings: DialSettings;
}

function botOf(source: BotSource, call: CallRecord, parts: BotParts): JoiningBot | undefined {
  switch (source.type) {
    case 'attach':
      return undefined;
    case 'menu':
      return new MenuBot(menuOf(source.menuFile, parts.menus), call);
    case 'dial':
      return dialledBot(source, call, parts);
  }
}

/** Neither the address nor the headers are logged: both may hold secrets. */
function dialledBot(
  address: Extract<BotSource, { type: 'dial' }>,
  { callId, lineId }: CallRecord,
  { log, dialSettings }: BotParts,
): DialledBot {
  return new DialledBot({
    address,
    settings: dialSettings,
    onConnected: () => log.info({ callId, lineId }, 'bot connected'),
    onEnd: (error) => {
      const cause = error?.cause instanceof Error ? error.cause.message : undefined;
      if (error) log.warn({ callId, lineId, error: error.code, cause }, 'bot failed');
      else log.info({ callId, lineId }, 'bot left');
    },
  });
}

function menuOf(menuFile: string | undefined, menus: ReadonlyMap<string, Menu>): Menu {
  const menu = menuFile === undefined ? builtInMenu : menus.get(menuFile);
  if (!menu) throw new Error('A line has a menu that was not read at the start.');
  return menu;
}

/** A menu whose transfer would be refused is found at the start, and not by a caller. */
function assertTransfersAllowed(lines: readonly Line[], menus: ReadonlyMap<string, Menu>): void {
  const complaints = lines.flatMap(({ lineId, bot, transfers }) => {
    if (bot.type !== 'menu') return [];
    const targets = transferTargets(menuOf(bot.menuFile, menus));
    return [...targets]
      .filter((to) => !allowsTransfer(transfers, to, targets))
      .map(
        (to) =>
          `${bot.menuFile}: transfers to ${to}, which the line "${lineId}" does not allow. Add it to transfers of the line.`,
      );
  });
  if (complaints.length > 0) throw new YamlError(complaints);
}

async function readMenus(lines: readonly Line[]): Promise<ReadonlyMap<string, Menu>> {
  const files = lines.flatMap(({ bot }) => (bot.type === 'menu' ? (bot.menuFile ?? []) : []));
  const menus = [...new Set(files)].map(async (file) => [file, await menuIn(file)] as const);
  return new Map(await Promise.all(menus));
}

async function menuIn(file: string): Promise<Menu> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    throw new YamlError([`${file}: this menu file of a line cannot be read (${code}).`]);
  }
  return readMenu(text, file);
}
