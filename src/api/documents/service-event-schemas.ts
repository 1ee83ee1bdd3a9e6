import { type TObject, type TProperties, type TSchema, Type } from 'typebox';
import type { ServiceEventType } from '../../domain/service-event.ts';

const Unix = (description: string) =>
  Type.Integer({ description: `${description} Seconds since 1970.` });
const nullable = (schema: TSchema) => Type.Union([schema, Type.Null()]);

const speechGenerated = payload(
  'speech.generated',
  'A generation over REST is finished, and its audio complete.',
  {
    request_id: Type.String({ description: 'The request-id header of the response.' }),
    history_item_id: nullable(
      Type.String({ description: 'Where the audio is kept; null when nothing is.' }),
    ),
    voice_id: Type.String({ description: 'The voice that spoke.' }),
    model_id: Type.String({ description: 'The model that the request asked for.' }),
    output_format: Type.String({ description: 'Format of the audio, such as mp3_44100_128.' }),
    character_count: Type.Integer({ description: 'Characters that were charged.' }),
    audio_duration_ms: Type.Integer({ description: 'Duration of the audio.' }),
  },
);

const quotaReached = payload('quota.reached', 'No characters are left to speak.', {
  api_key_id: nullable(
    Type.String({
      description: "The key whose own limit is spent; null when it is the account's.",
    }),
  ),
  character_count: Type.Integer({ description: 'Characters used.' }),
  character_limit: Type.Integer({ description: 'Characters that may be used.' }),
  next_reset_unix: nullable(Unix('When the count starts afresh; null when it never does.')),
});

const keyRotated = payload(
  'key.rotated',
  'A key has a new secret; the one before opens nothing any more.',
  {
    api_key_id: Type.String({ description: 'The key.' }),
    name: Type.String({ description: 'What its owner calls it.' }),
    last_four: Type.String({ description: 'The end of the new secret.' }),
  },
);

const voiceReady = payload('voice.ready', 'A voice that was being prepared can speak.', {
  voice_id: Type.String({ description: 'The voice.' }),
  name: Type.String({ description: 'What its owner calls it.' }),
});

const callEnded = payload('call.ended', "A phone call over a carrier's stream is over.", {
  call_id: Type.String({ description: "The carrier's id of the call." }),
  carrier: Type.String({ description: 'The protocol that the carrier spoke, such as twilio.' }),
  started_at_unix: Unix('When the call began.'),
  duration_ms: Type.Integer({ description: 'How long the call was.' }),
  character_count: Type.Integer({ description: 'Characters that were spoken.' }),
  end_reason: Type.Union(
    [Type.Literal('hangup'), Type.Literal('completed'), Type.Literal('error')],
    { description: 'Who ended it: the other side, the agent, or a failure.' },
  ),
});

/** The bodies that webhooks receive, for the documents; the tests hold deliveries against them. */
export const SERVICE_EVENT_SCHEMAS: Readonly<Record<ServiceEventType, TObject>> = {
  'speech.generated': speechGenerated,
  'quota.reached': quotaReached,
  'key.rotated': keyRotated,
  'voice.ready': voiceReady,
  'call.ended': callEnded,
};

function payload(type: ServiceEventType, description: string, data: TProperties): TObject {
  return Type.Object(
    {
      type: Type.Literal(type),
      event_timestamp: Unix('When it happened.'),
      data: Type.Object(data, { additionalProperties: false }),
    },
    { description, additionalProperties: false },
  );
}
