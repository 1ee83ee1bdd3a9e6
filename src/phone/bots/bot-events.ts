import type { SpeechError } from '../../domain/errors.ts';
import type { CallEvent, CallRecord } from '../calls/call-messages.ts';
import type { WireBotEvent, WireCall } from './bot-frame-schemas.ts';

/** A call, as bots and the list of calls show it. Its parameters hold no credentials any more. */
export function wireCall(call: CallRecord): WireCall {
  const { start } = call;
  return {
    call_id: call.callId,
    line_id: call.lineId,
    carrier: call.carrier,
    carrier_call_id: start.carrierCallId ?? null,
    from: start.from ?? null,
    to: start.to ?? null,
    parameters: start.parameters,
    audio_format: start.spokenFormat.name,
    started_at_unix_ms: call.startedAtMs,
  };
}

/** What a call tells its bot, as it is written. */
export function wireEvent(event: CallEvent): WireBotEvent {
  switch (event.type) {
    case 'call-start':
      return { type: 'call_start', ...wireCall(event.call) };
    case 'caller-audio':
      return { type: 'audio', audio: base64(event.audio) };
    case 'dtmf':
      return { type: 'dtmf', digit: event.digit };
    case 'mark-heard':
      return { type: 'mark', name: event.name };
    case 'caller-speech-start':
      return { type: 'speech_start' };
    case 'caller-speech-end':
      return { type: 'speech_end' };
    case 'interruption':
      return {
        type: 'interruption',
        cause: event.cause,
        contexts: event.cut.map(({ contextId, heard, unheard, heardMs }) => ({
          context_id: contextId,
          heard,
          unheard,
          heard_ms: Math.round(heardMs),
        })),
      };
    case 'context-end':
      return { type: 'context_end', context_id: event.contextId };
    case 'refusal':
      return wireRefusal(event.error, event.contextId);
    case 'call-end':
      return {
        type: 'call_end',
        reason: event.reason,
        duration_ms: Math.round(event.durationMs),
      };
  }
}

/** Something was not done; the call goes on. */
export function wireRefusal(error: SpeechError, contextId?: string): WireBotEvent {
  return {
    type: 'refusal',
    ...errorFields(error),
    ...(contextId !== undefined && { context_id: contextId }),
  };
}

/** The last frame before the connection is closed with an error. */
export function wireErrorEvent(error: SpeechError): WireBotEvent {
  return { type: 'error', ...errorFields(error), code: error.row.close };
}

function errorFields({ code, message, param }: SpeechError) {
  return { error: code, message, ...(param !== undefined && { param }) };
}

function base64(audio: Uint8Array): string {
  return Buffer.from(audio.buffer, audio.byteOffset, audio.byteLength).toString('base64');
}
