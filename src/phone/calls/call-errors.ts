import { SpeechError } from '../../domain/errors.ts';

export function carrierTooSlow(): SpeechError {
  return new SpeechError(
    'client_too_slow',
    'The call was ended because the carrier stopped reading audio.',
  );
}

export function carrierSilent(waitedMs: number): SpeechError {
  return new SpeechError(
    'carrier_silent',
    `The carrier did not start its stream within ${waitedMs / 1000} s of connecting.`,
  );
}

export function botMissing(waitedMs: number): SpeechError {
  return new SpeechError('bot_unreachable', `No bot took the call within ${waitedMs / 1000} s.`);
}

export function botLeft(): SpeechError {
  return new SpeechError('bot_unreachable', 'The bot left in the middle of the call.');
}

export function callTaken(): SpeechError {
  return new SpeechError('call_taken', 'Another bot has taken this call.');
}

export function callEnding(): SpeechError {
  return new SpeechError('call_ended', 'The call is being ended: nothing more can be said.');
}

export function callEnded(): SpeechError {
  return new SpeechError('call_ended', 'The call is over.');
}

export function notTransferable(): SpeechError {
  return new SpeechError(
    'invalid_parameters',
    'This call cannot be transferred, because its carrier does not say which call it is.',
  );
}

export function transferNotAllowed(): SpeechError {
  return new SpeechError(
    'transfer_not_allowed',
    'The line does not allow transfers to this number. Add it to "transfers" of the line, in the file of SIDETONE_LINES.',
    { param: 'to' },
  );
}

export function tooManyContexts(): SpeechError {
  return new SpeechError(
    'max_active_conversations',
    'Too many closed contexts wait to be spoken. Clear the call, or send text as the conversation needs it.',
  );
}

export function tooMuchWaits(): SpeechError {
  return new SpeechError(
    'invalid_input_message',
    'Too many marks, or too much audio, wait to be heard. Send them as the conversation needs them.',
  );
}

export function contextShut(contextId: string): SpeechError {
  return new SpeechError(
    'invalid_input_message',
    `The context "${contextId}" was closed or cut off, so text for it is dropped. Use another context for what is new.`,
    { param: 'context_id' },
  );
}
