import Type from 'typebox';
import { CARRIER_NAMES } from '../../domain/carrier.ts';
import { DOCUMENTS } from './documents.ts';

const asking = CARRIER_NAMES.filter((name) => DOCUMENTS[name] !== undefined);

const params = Type.Object({
  line: Type.String({ description: 'The line that the call is for.', examples: ['default'] }),
  carrier: Type.String({
    description: `Who asks, and so in which language the answer is: ${asking.join(', ')}.`,
    examples: ['twilio'],
  }),
});

const apiKey = Type.Optional(
  Type.String({
    description: 'The API key, for carriers that send no headers; not needed by those that sign.',
  }),
);

const text = { schema: { type: 'string' } };
const content = {
  'text/xml': text,
  'text/plain': text,
  'application/json': { schema: {} },
};

const common = {
  tags: ['Phone lines'],
  params,
  // A signature is over the body; where there is none to check, the key is looked at before.
  access: { scope: 'text_to_speech', door: 'carrier', key: 'later' } as const,
  errors: ['invalid_signature', 'invalid_parameters', 'message_too_big'] as const,
};

/**
 * Besides what they name, requests carry what the carrier tells of the call, in a form, in JSON or in
 * the query, in its own words.
 */
export const CALL_SCHEMA = {
  ...common,
  summary: 'Answer the webhook of a carrier: connect the call to the line',
  querystring: Type.Object({
    api_key: apiKey,
    format: Type.Optional(
      Type.String({
        description: "What the stream is to carry, such as ulaw_8000; the carrier's own default.",
        examples: ['ulaw_8000'],
      }),
    ),
  }),
  response: {
    200: {
      description:
        'TwiML, cXML, TeXML, Plivo XML, an NCCO, what an applet asks for, or a token for a dialplan.',
      content,
    },
  },
};

export const AFTER_SCHEMA = {
  ...common,
  summary: 'Answer the webhook of a carrier: what follows the media stream',
  querystring: Type.Object({
    api_key: apiKey,
    token: Type.Optional(
      Type.String({
        description: 'Of the call set-up document, in place of an API key. It tells once.',
      }),
    ),
    call_id: Type.Optional(
      Type.String({
        description: "The carrier's id of the call, if nothing else tells it. It tells once.",
      }),
    ),
  }),
  response: {
    200: { description: 'Connects the caller with somebody, or ends the call.', content },
  },
};
