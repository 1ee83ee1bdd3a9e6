import { type JsonObject, parseJsonObject, textField } from '../wire-checks.ts';

/** How chan_websocket writes control messages: `f(json)` of the dial string, or lines of words. */
export type AsteriskForm = 'json' | 'plain';

/** Control messages of chan_websocket, in one of its two forms. */
export class AsteriskWords {
  readonly form: AsteriskForm;
  readonly channelId: string;

  constructor(form: AsteriskForm, channelId: string) {
    this.form = form;
    this.channelId = channelId;
  }

  /** Fields that are objects have no place in the plain form. */
  event(event: string, fields: JsonObject): string {
    const all = { ...fields, channel_id: this.channelId };
    if (this.form === 'json') return JSON.stringify({ event, ...all });
    // These have nothing beside their names.
    if (event === 'MEDIA_XON' || event === 'MEDIA_XOFF' || event === 'QUEUE_DRAINED') return event;
    const words = Object.entries(all)
      .filter(([, value]) => typeof value !== 'object')
      .map(([name, value]) => `${name}:${String(value)}`);
    return [event, ...words].join(' ');
  }

  /** An event that answers a command; the id is bare in the plain form. */
  answer(event: string, id: string): string {
    if (this.form === 'json') {
      return JSON.stringify({ event, channel_id: this.channelId, correlation_id: id });
    }
    return id === '' ? event : `${event} ${id}`;
  }

  /** @returns undefined for what Asterisk could not read. */
  command(text: string): { readonly name: string; readonly id: string } | undefined {
    const trimmed = text.trim();
    if (this.form === 'plain') {
      const space = trimmed.indexOf(' ');
      const name = space < 0 ? trimmed : trimmed.slice(0, space);
      return { name, id: space < 0 ? '' : trimmed.slice(space + 1) };
    }
    const body = parseJsonObject(trimmed);
    const name = textField(body, 'command');
    return name === undefined ? undefined : { name, id: textField(body, 'correlation_id') ?? '' };
  }
}
