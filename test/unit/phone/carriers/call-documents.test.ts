import { SaxesParser } from 'saxes';
import twilio from 'twilio';
import { describe, expect, it } from 'vitest';
import type { CallSetup, CarrierDocuments } from '../../../../src/phone/carriers/call-document.ts';
import { exotelDocuments } from '../../../../src/phone/carriers/exotel/exotel-documents.ts';
import { plivoDocuments } from '../../../../src/phone/carriers/plivo/plivo-documents.ts';
import { signalwireDocuments } from '../../../../src/phone/carriers/signalwire/signalwire-documents.ts';
import { telnyxDocuments } from '../../../../src/phone/carriers/telnyx/telnyx-documents.ts';
import { twilioDocuments } from '../../../../src/phone/carriers/twilio/twilio-documents.ts';
import { vonageDocuments } from '../../../../src/phone/carriers/vonage/vonage-documents.ts';

/** Every field holds what would end an attribute, an element or the document. */
const SETUP: CallSetup = {
  streamUrl: 'wss://voice.example.com/v1/lines/front-desk/x',
  afterUrl: 'https://voice.example.com/v1/lines/front-desk/x/after?api_key=a&call_id=CA0',
  token: 'sutkn_abc',
  carrierCallId: 'CA0',
  from: `+1 "O'Neill" <&> ]]>\u0000\u000b`,
  to: '+14155550199',
  format: undefined,
};

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
  text: string;
}

/** The tree of a document, from a parser that takes nothing but well-formed XML. */
function parsed(xml: string): Element {
  const root: Element = { name: '', attributes: {}, children: [], text: '' };
  const open = [root];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const element = {
      name,
      attributes: attributes as Record<string, string>,
      children: [],
      text: '',
    };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on('text', (text) => {
    const current = open.at(-1);
    if (current) current.text += text.trim();
  });
  parser.on('closetag', () => void open.pop());
  parser.write(xml).close();
  return root.children[0] as Element;
}

function parametersOf(stream: Element | undefined): Record<string, string> {
  return Object.fromEntries(
    (stream?.children ?? []).map(({ attributes }) => [attributes['name'], attributes['value']]),
  );
}

describe.each([
  ['twilio', twilioDocuments],
  ['signalwire', signalwireDocuments],
  ['telnyx', telnyxDocuments],
] as const)('the documents of %s', (_name, documents: CarrierDocuments) => {
  it('connect a stream, pass along who calls, and ask what follows', () => {
    const { contentType, body } = documents.call(SETUP);
    expect(contentType).toMatch(/^text\/xml/);
    const response = parsed(body);
    expect(response.name).toBe('Response');
    const [connect, redirect] = response.children;
    const [stream] = connect?.children ?? [];
    expect([connect?.name, stream?.name, redirect?.name]).toEqual([
      'Connect',
      'Stream',
      'Redirect',
    ]);
    expect(stream?.attributes['url']).toBe(SETUP.streamUrl);
    expect(parametersOf(stream)).toMatchObject({
      token: SETUP.token,
      from: `+1 "O'Neill" <&> ]]>`,
      to: SETUP.to,
    });
    expect(redirect?.text).toBe(SETUP.afterUrl);
  });

  it('leave out what is not known', () => {
    const { body } = documents.call({ ...SETUP, from: undefined, to: undefined });
    const parameters = parametersOf(parsed(body).children[0]?.children[0]);
    expect(parameters).not.toHaveProperty('from');
    expect(parameters).not.toHaveProperty('to');
  });

  it('connect the caller with a number or a SIP address afterwards, or hang up', () => {
    const [dial] = parsed(documents.after('+14155550111').body).children;
    expect(dial).toMatchObject({ name: 'Dial', text: '+14155550111' });
    const [sip] = parsed(documents.after('sip:desk@pbx.example.com;x="1"').body).children;
    expect(sip?.children[0]).toMatchObject({ name: 'Sip', text: 'sip:desk@pbx.example.com;x="1"' });
    expect(parsed(documents.after(undefined).body).children[0]?.name).toBe('Hangup');
  });

  it('refuse a format that is not streamed, and name those that are', () => {
    expect(() => documents.call({ ...SETUP, format: 'mp3_44100_128' })).toThrow(
      expect.objectContaining({
        code: 'invalid_parameters',
        message: expect.stringContaining('ulaw_8000'),
      }),
    );
  });
});

describe('what differs', () => {
  it("is nothing between Twilio's own package and us", () => {
    const theirs = new twilio.twiml.VoiceResponse();
    const stream = theirs.connect().stream({ url: SETUP.streamUrl });
    stream.parameter({ name: 'token', value: 'sutkn_abc' });
    stream.parameter({ name: 'to', value: '+14155550199' });
    theirs.redirect({ method: 'POST' }, SETUP.afterUrl);
    const ours = twilioDocuments.call({ ...SETUP, from: undefined });
    expect(parsed(ours.body)).toEqual(parsed(theirs.toString()));
  });

  it('is the codec at SignalWire, where PCMU goes without saying', () => {
    const streamOf = (format: string | undefined) =>
      parsed(signalwireDocuments.call({ ...SETUP, format }).body).children[0]?.children[0];
    expect(streamOf(undefined)?.attributes).toEqual({ url: SETUP.streamUrl });
    expect(streamOf('pcm_16000')?.attributes).toMatchObject({ codec: 'L16@16000h' });
    expect(streamOf('pcm_24000')?.attributes).toMatchObject({ codec: 'L16@24000h' });
  });

  it("is Telnyx's mode, without which the caller hears nothing, and both of its codecs", () => {
    const { body } = telnyxDocuments.call({ ...SETUP, format: 'alaw_8000' });
    const stream = parsed(body).children[0]?.children[0];
    expect(stream?.attributes).toMatchObject({
      bidirectionalMode: 'rtp',
      bidirectionalCodec: 'PCMA',
      bidirectionalSamplingRate: '8000',
      codec: 'PCMA',
    });
    expect(parametersOf(stream)).toMatchObject({ spoken_codec: 'PCMA' });
  });
});

describe('the documents of plivo', () => {
  it('open a bidirectional stream that keeps the call alive', () => {
    const [stream, redirect] = parsed(plivoDocuments.call(SETUP).body).children;
    expect(stream).toMatchObject({
      name: 'Stream',
      attributes: {
        bidirectional: 'true',
        keepCallAlive: 'true',
        contentType: 'audio/x-mulaw;rate=8000',
      },
    });
    const url = new URL(stream?.text ?? '');
    expect(`${url.origin}${url.pathname}`).toBe(SETUP.streamUrl);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      token: SETUP.token,
      from: SETUP.from,
      to: SETUP.to,
    });
    expect(redirect).toMatchObject({ name: 'Redirect', text: SETUP.afterUrl });
  });

  it('connect the caller with a number or an endpoint afterwards, or hang up', () => {
    const calleeOf = (number: string) =>
      parsed(plivoDocuments.after(number).body).children[0]?.children[0];
    expect(calleeOf('+14155550111')).toMatchObject({ name: 'Number', text: '+14155550111' });
    expect(calleeOf('sip:a@phone.plivo.com')).toMatchObject({ name: 'User' });
    expect(parsed(plivoDocuments.after(undefined).body).children[0]?.name).toBe('Hangup');
  });
});

describe('the documents in JSON', () => {
  it('are an NCCO for vonage: a websocket, and a question behind it', () => {
    const { contentType, body } = vonageDocuments.call({ ...SETUP, format: 'pcm_24000' });
    expect(contentType).toMatch(/^application\/json/);
    expect(JSON.parse(body)).toEqual([
      {
        action: 'connect',
        endpoint: [
          {
            type: 'websocket',
            uri: SETUP.streamUrl,
            'content-type': 'audio/l16;rate=24000',
            authorization: { type: 'vonage' },
            headers: { token: SETUP.token, call_id: 'CA0', from: SETUP.from, to: SETUP.to },
          },
        ],
      },
      {
        action: 'notify',
        payload: { uuid: 'CA0' },
        eventUrl: [SETUP.afterUrl],
        eventMethod: 'POST',
      },
    ]);
    expect(JSON.parse(vonageDocuments.after('+14155550111').body)).toEqual([
      { action: 'connect', endpoint: [{ type: 'phone', number: '14155550111' }] },
    ]);
    expect(JSON.parse(vonageDocuments.after(undefined).body)).toEqual([]);
  });

  it('are the address of the stream for exotel, and the numbers to dial', () => {
    const url = new URL(JSON.parse(exotelDocuments.call(SETUP).body).url);
    expect(url.searchParams.get('token')).toBe(SETUP.token);
    expect(JSON.parse(exotelDocuments.after('+1').body)).toEqual({
      destination: { numbers: ['+1'] },
    });
    expect(JSON.parse(exotelDocuments.after(undefined).body)).toEqual({
      destination: { numbers: [] },
    });
  });
});
