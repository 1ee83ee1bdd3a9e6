import { toSpeechError } from '../../domain/errors.ts';
import type { ReplyForm } from '../rest-speech/reply-form.ts';
import type { CartesiaEvent } from './cartesia-event-schemas.ts';
import { CartesiaEvents } from './cartesia-events.ts';
import type { CartesiaSpeechBody } from './cartesia-schemas.ts';
import { type WireWordTimes, WordTimes } from './word-times.ts';

/** Server-sent events of one request: what the websocket says of a context. */
export function speechEvents(body: CartesiaSpeechBody, requestId: string): ReplyForm {
  const events = new CartesiaEvents(body.context_id ?? undefined);
  const words = body.add_timestamps ? new WordTimes() : undefined;
  const timed = (times: WireWordTimes | undefined) =>
    times ? written(events.timestamps(times)) : '';
  return {
    contentType: () => 'text/event-stream; charset=utf-8',
    whole: (audio) => written(events.chunk(audio)) + written(events.done()),
    frame: ({ audio, alignment }) => {
      const text = body.use_normalized_timestamps ? alignment?.spoken : alignment?.original;
      return written(events.chunk(audio)) + timed(text && words?.add(text));
    },
    end: () => timed(words?.end()) + written(events.done()),
    failure: (thrown) => written(events.error(toSpeechError(thrown), requestId)),
  };
}

function written(event: CartesiaEvent): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}
