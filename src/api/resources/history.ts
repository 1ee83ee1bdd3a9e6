import type { Readable } from 'node:stream';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Static } from 'typebox';
import { OUTPUT_FORMATS } from '../../domain/audio.ts';
import { SpeechError } from '../../domain/errors.ts';
import type { HistoryItem } from '../../domain/history-item.ts';
import type { History, HistoryQuery } from '../../service/account/history.ts';
import { parseByteRange } from '../http/byte-range.ts';
import { DONE, Done } from '../http/reply-schemas.ts';
import {
  audioFile,
  audioIsGone,
  type DownloadFile,
  type WavHeader,
  wavDownload,
  zipOf,
} from './history-download.ts';
import {
  DownloadBody,
  HistoryItemParams,
  HistoryItemRecord,
  HistoryPage,
  HistoryQuerySchema,
  historyItemRecord,
  RangeHeaders,
  unixTime,
} from './history-schemas.ts';

const PATH = '/v1/history';
const ITEM_PATH = `${PATH}/:history_item_id`;
const tags = ['History'];
const ANY_AUDIO = Object.fromEntries(
  [...new Set(OUTPUT_FORMATS.map(({ contentType }) => contentType))].map((type) => [
    type,
    { schema: {} },
  ]),
);
const AUDIO_REPLIES = {
  200: { description: 'The audio, as it was first sent.', content: ANY_AUDIO },
  206: { description: 'The part of it that the Range header asks for.', content: ANY_AUDIO },
  416: { description: 'The range lies outside of the audio.', content: {} },
};
const DOWNLOAD_REPLY = {
  description: 'The audio of one item, or an archive of several.',
  content: { ...ANY_AUDIO, 'application/zip': { schema: {} } },
};

/** What was spoken over REST: listed, heard again, downloaded, deleted. */
export function historyRoutes(app: FastifyInstance, history: History, wavHeader: WavHeader): void {
  const typed = app.withTypeProvider<TypeBoxTypeProvider>();
  typed.get(
    PATH,
    {
      schema: {
        tags,
        summary: 'List what was spoken',
        access: { scope: 'speech_history_read' },
        querystring: HistoryQuerySchema,
        response: { 200: HistoryPage },
      },
    },
    async (request) => {
      const { accountId } = request.caller;
      return listPage(history, toQuery(accountId, request.query));
    },
  );

  const one = { tags, params: HistoryItemParams, errors: ['not_found'] as const };
  typed.get(
    ITEM_PATH,
    {
      schema: {
        ...one,
        summary: 'Get one item',
        access: { scope: 'speech_history_read' },
        response: { 200: HistoryItemRecord },
      },
    },
    async (request) => {
      const { accountId } = request.caller;
      return historyItemRecord(await find(history, accountId, request.params.history_item_id));
    },
  );

  typed.get(
    `${ITEM_PATH}/audio`,
    {
      schema: {
        ...one,
        summary: 'Hear an item again',
        access: { scope: 'speech_history_read' },
        headers: RangeHeaders,
        response: AUDIO_REPLIES,
      },
    },
    async (request, reply) => {
      const { accountId } = request.caller;
      const item = await find(history, accountId, request.params.history_item_id);
      return sendAudio(reply, history, item, request.headers.range);
    },
  );

  typed.delete(
    ITEM_PATH,
    {
      schema: {
        ...one,
        summary: 'Delete an item and its audio',
        access: { scope: 'speech_history_write' },
        response: { 200: Done },
      },
    },
    async (request) => {
      const { accountId } = request.caller;
      const { history_item_id } = request.params;
      if (await history.delete(accountId, history_item_id)) return DONE;
      throw noSuchItem(history_item_id);
    },
  );
  downloadRoute(app, history, wavHeader);
}

function downloadRoute(app: FastifyInstance, history: History, wavHeader: WavHeader): void {
  app.withTypeProvider<TypeBoxTypeProvider>().post(
    `${PATH}/download`,
    {
      schema: {
        tags,
        summary: 'Download the audio of items',
        // A POST, because it carries a list of ids; it changes nothing.
        access: { scope: 'speech_history_read' },
        body: DownloadBody,
        errors: ['not_found', 'invalid_output_format', 'invalid_parameters'],
        response: { 200: DOWNLOAD_REPLY },
      },
    },
    async (request, reply) => {
      const { accountId } = request.caller;
      const { history_item_ids, output_format } = request.body;
      const files: DownloadFile[] = [];
      for (const id of new Set(history_item_ids)) {
        const item = await find(history, accountId, id);
        const isWav = output_format === 'wav';
        files.push(isWav ? wavDownload(item, history, wavHeader) : audioFile(item, history));
      }
      return sendFiles(reply, files);
    },
  );
}

async function find(history: History, accountId: string, historyItemId: string) {
  const item = await history.find(accountId, historyItemId);
  return item ?? Promise.reject(noSuchItem(historyItemId));
}

function toQuery(accountId: string, query: Static<typeof HistoryQuerySchema>): HistoryQuery {
  return {
    accountId,
    limit: query.page_size,
    direction: query.sort_direction === 'desc' ? 'newest-first' : 'oldest-first',
    startAfter: query.start_after_history_item_id,
    voiceId: query.voice_id,
    modelId: query.model_id,
    source: query.source,
    search: query.search,
    createdBeforeMs: toMs(query.date_before_unix),
    createdFromMs: toMs(query.date_after_unix),
  };
}

function toMs(unixSeconds: number | undefined): number | undefined {
  return unixSeconds === undefined ? undefined : unixSeconds * 1000;
}

/** Asks for one item more than a page holds, to know whether there is another page. */
async function listPage(
  history: History,
  query: HistoryQuery,
): Promise<Static<typeof HistoryPage>> {
  const found = await history.list({ ...query, limit: query.limit + 1 });
  const items = found.slice(0, query.limit);
  const last = items.at(-1);
  return {
    history: items.map(historyItemRecord),
    last_history_item_id: last?.historyItemId ?? null,
    has_more: found.length > items.length,
    scanned_until: last ? unixTime(last) : null,
  };
}

/** Parts of it as well, which players ask for when the listener jumps ahead (RFC 9110 §14). */
async function sendAudio(
  reply: FastifyReply,
  history: History,
  item: HistoryItem,
  rangeHeader: string | undefined,
): Promise<FastifyReply> {
  const size = item.audioBytes;
  const range = parseByteRange(rangeHeader, size);
  reply.header('accept-ranges', 'bytes');
  if (range === 'unsatisfiable') {
    return reply.code(416).header('content-range', `bytes */${size}`).send();
  }
  const audio = await history.openAudio(item, range);
  if (!audio) throw audioIsGone(item);
  if (range) {
    reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${size}`);
  }
  const length = range ? range.end - range.start + 1 : size;
  return reply.type(item.contentType).header('content-length', length).send(audio);
}

/** One file as itself, several as an archive. */
async function sendFiles(
  reply: FastifyReply,
  files: readonly DownloadFile[],
): Promise<FastifyReply> {
  const [file] = files;
  if (!file || files.length > 1) {
    return attach(reply, 'history.zip', 'application/zip', zipOf(files));
  }
  const audio = await file.open();
  return attach(reply.header('content-length', file.size), file.name, file.contentType, audio);
}

function attach(reply: FastifyReply, name: string, contentType: string, content: Readable) {
  reply.header('content-disposition', `attachment; filename="${name}"`);
  return reply.type(contentType).send(content);
}

function noSuchItem(historyItemId: string): SpeechError {
  return new SpeechError('not_found', `There is no history item with the id "${historyItemId}".`, {
    param: 'history_item_id',
  });
}
