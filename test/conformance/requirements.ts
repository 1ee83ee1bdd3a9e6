/**
 * What the two streaming websockets owe their clients, one rule an id. Sources: the service's own
 * description, recorded traffic of the original service, and how its public clients behave.
 */
export const REQUIREMENTS = {
  'stream:inactivity-speaks':
    'A connection that hears nothing speaks what it holds before it is closed.',
  'multi:unsayable-text':
    'Text of which nothing can be said ends its context alone, with an error.',
  'address:slashes': 'Doubled slashes, and one at the end of the path, change nothing.',
  // Keys, in every place where clients put them.
  'auth:header': 'The key is accepted in the xi-api-key header.',
  'auth:query':
    'The key is accepted in the query as authorization (with or without Bearer), xi-api-key or xi_api_key.',
  'auth:first-frame':
    'The key is accepted in the first frame as xi_api_key, xi-api-key or authorization.',
  'auth:upgrade-always':
    'A missing or bad key still gets the upgrade; the error follows the first frame.',
  'auth:bad-key': 'A bad key gets an invalid_api_key error frame, then close 1008.',
  'auth:single-use-token': 'single_use_token opens a connection in place of a key.',
  'auth:token-used': 'A single-use token that was used, or was never made, is refused.',
  'auth:token-expired': 'A single-use token is refused after fifteen minutes.',
  'auth:token-purpose':
    'A single-use token for something else is refused, and stays good for that.',
  'auth:key-revoked':
    'A silent connection ends soon after its key is rotated or revoked, with invalid_api_key.',
  'auth:missing-key': 'No key gets an authentication_required error frame, then close 1008.',

  // The query.
  'query:model-unknown':
    'An unknown model is refused at the upgrade with HTTP 400 and unsupported_model.',
  'query:model-ellipsis': 'The literal model id "Ellipsis" means the default model.',
  'query:model-aliases': 'Model ids that public clients send are accepted.',
  'query:stray-ampersand': 'A query that starts with a stray & is read.',
  'query:unknown-ignored': 'Unknown query parameters are ignored.',
  'query:format-unknown':
    'An unknown output_format is answered with an error that lists the formats.',
  'query:voice-unknown':
    'An unknown voice gets the upgrade, then voice_id_does_not_exist and close 1008.',
  'query:inactivity': 'inactivity_timeout ends a silent connection with input_timeout_exceeded.',
  'query:trace-id': 'The upgrade response carries x-trace-id.',

  // Finding what was sent in the log.
  'trace:every-message':
    "Every message carries x-trace-id: the connection's id and the number of a chunk of text.",
  'trace:chunk': 'The log line with the timings of a chunk has the trace id of its messages.',
  'trace:cut': 'So has the log line of a chunk that was cut in the middle.',
  'trace:error': 'So has the log line of an error, and of the end of a connection.',
  'metrics:first-frame': '/metrics tells the time to the first frame, by latency level.',
  'metrics:messages': '/metrics counts messages in and out, and chunks spoken and cut.',

  // Markup in text.
  'markup:break':
    '<break time="1s"/> is a silence of that length, up to 3 seconds, whether or not SSML was asked for.',
  'markup:split': 'A tag may come in several frames.',
  'markup:unspoken': 'No tag is read aloud; the text between tags is.',
  'markup:signs':
    '< and > in ordinary text are no tags, and neither is one that a flush cuts short.',
  'markup:ssml':
    'enable_ssml_parsing, or <speak>, has <sub>, <say-as>, <phoneme>, <prosody rate> and entities read.',
  'markup:hostile': 'Malformed markup is text, and never ends a connection.',

  // stream-input.
  'stream:silent-before-text': 'The server sends nothing before it has text.',
  'stream:any-first-text': 'Any first text initialises, also real text.',
  'stream:settings-empty': 'voice_settings may be {} or null; unknown fields are ignored.',
  'stream:settings-repeat': 'Identical settings may be repeated in later frames.',
  'stream:settings-change':
    'Changed settings are refused with 1008: of the voice after the first speech, others after the first text.',
  'stream:settings-late':
    'Settings of the voice that come after text was buffered, and before any is spoken, are taken.',
  'stream:flush': 'flush:true speaks what is buffered at once.',
  'stream:flush-empty': '{"text":"","flush":true} flushes and does not end the input.',
  'stream:end': '{"text":""} speaks everything left, then sends the final frame and closes 1000.',
  'stream:end-repeated': 'Frames after the end of input are tolerated.',
  'stream:end-without-text': 'Ending without any text still gives a final frame and close 1000.',
  'stream:keep-alive': 'A single space keeps the connection alive and is not spoken.',
  'stream:four-keys':
    'Every frame has audio, isFinal, alignment and normalizedAlignment, and x-trace-id.',
  'stream:final':
    'The final frame is {audio:null,isFinal:true,alignment:null,normalizedAlignment:null}, and x-trace-id.',
  'stream:auto-mode': 'auto_mode speaks each text frame without waiting for the schedule.',
  'stream:trigger': 'try_trigger_generation speaks what is buffered when it is long enough.',
  'stream:schedule': 'chunk_length_schedule sets how many characters wait before each generation.',
  'stream:frame-size': 'No frame is as large as 1 MiB.',
  'stream:whole-text': 'All text is spoken once, in order, however it was cut into frames.',

  // Alignment.
  'align:first-frame': 'The first frame of a chunk carries alignment; later ones have null.',
  'align:integers': 'Times are integers in arrays of equal length.',
  'align:original-text':
    'alignment echoes the text as sent; normalizedAlignment the text as spoken.',
  'align:chunk-relative': 'Times restart at 0 in each chunk.',

  // multi-stream-input.
  'multi:context-id-spellings': 'context_id and contextId are both read, and both are written.',
  'multi:unseen-id': 'Any frame with an unseen id starts a context.',
  'multi:init-without-id':
    'Settings without a context id are the default of contexts that send none.',
  'multi:late-settings': 'Settings may come after a keep-alive, until the first text.',
  'multi:final-once': 'Each context ends with exactly one isFinal:true, with its id.',
  'multi:flush-no-final': 'A flush alone gives no final frame.',
  'multi:flush-close': 'flush followed at once by close_context speaks everything, then one final.',
  'multi:close-unflushed': 'close_context right after unflushed text still speaks it.',
  'multi:close-twice':
    'A second close_context stops what is still to be spoken and sends the final.',
  'multi:nothing-after-final': 'No audio of a context follows its final frame.',
  'multi:keep-alive': '{"text":""}, with or without an id, ends nothing.',
  'multi:close-socket': 'close_socket finishes what is being spoken, then closes 1000.',
  'multi:limit': 'A sixth open context gets max_active_conversations and close 1008.',
  'multi:idle-evicted': 'A context that has nothing left to say is ended when a sixth one starts.',
  'multi:idle-context':
    'A context that hears nothing for inactivity_timeout speaks what it holds and ends, by itself.',
  'multi:keep-alive-context':
    'An empty text keeps the context that it names, or without an id all of them.',
  'multi:slot-freed': 'A context that was closed no longer counts toward the limit.',
  'multi:stale-frames': 'Late frames for an ended context do not bring it back or harm others.',
  'multi:error-context': 'An error that concerns one context carries its id.',

  // Pronunciation dictionaries.
  'dict:first-frame': 'Rules of dictionaries named in the first frame change what is spoken.',
  'dict:original-text': 'alignment still echoes the text as sent.',
  'dict:order': 'Of several dictionaries the first that has a rule for the text wins.',
  'dict:at-most-three': 'More than three locators are refused.',
  'dict:unknown': 'A dictionary that does not exist is refused with not_found.',

  // Characters.
  'quota:once': 'Text is charged once, by its characters as sent, however it is cut.',
  'quota:unspoken': 'Text of which nothing was heard is not charged.',
  'quota:spent': 'Text beyond the quota gets quota_exceeded, with its context, and close 1008.',
  'quota:history': 'Speech of the websockets is metered and never stored.',

  // Any mixture of frames on five contexts.
  'mix:all-audio': 'All text that was sent before the close is heard.',
  'mix:one-final': 'Each context has one final frame.',
  'mix:nothing-after-final': 'Nothing of a context comes after its final frame.',
  'mix:alignment': 'The characters of the alignments, joined, are the text as sent.',
  'mix:own-audio': 'No context hears the text of another.',
  'mix:no-leak': 'Contexts that have ended cost the connection nothing.',

  // Bad input.
  'bad:json': 'A message that is not JSON gets invalid_input_message and close 1008.',
  'bad:types': 'A field of the wrong type is named in the error.',
  'bad:binary': 'A binary message is refused in-band.',
  'bad:oversize': 'A message above 64 KiB gets message_too_big and close 1009.',
  'bad:context': 'An error about a message that names its context carries the name.',
  'bad:nesting': 'JSON nested deeper than 32 levels is refused; so deep, it does no harm.',
  'bad:prototype': 'Keys of the prototype are keys like any other.',
  'bad:context-id': 'A context id may be any string of up to 256 characters.',
  'bad:text': 'Half characters, controls and markup in text do no harm.',
  'bad:tiny-messages': 'Text may come a character at a time, 100 000 of them.',
  'bad:never-flushed': 'Text without a sentence, a space or a flush is spoken as it comes.',
  'bad:flood': 'Text that waits is bounded for the whole connection: text_too_long and close 1008.',
  'bad:context-flood': 'Contexts may come and go by the thousand.',
  'bad:order': 'Frames in any order are tolerated.',
  'bad:fuzz':
    'Whatever comes, the connection ends with 1000, or with one error and its documented close code.',
  'bad:close-reason': 'The close reason is the error message, cut to 123 bytes.',
  'bad:isolation': 'An error on one connection leaves the others speaking.',

  // Flow.
  'flow:slow-pauses':
    'A client that stops reading pauses its own speech; what waits for it is bounded.',
  'flow:slow-isolation': 'A client that stops reading does not delay another.',
  'flow:slow-cut': 'A client that leaves its audio unread for too long is cut, by name.',
  'flow:slow-cancel': 'A client that stops reading and hangs up leaves nothing behind.',
  'flow:wall': 'Nothing may wait for a client beyond a fixed size, whatever it asks for.',
  'flow:disconnect-stops-work': 'A closed connection stops its work.',
  'flow:half-open': 'A connection that leaves a ping unanswered until the next one is dropped.',
  'flow:shutdown': 'A shutdown lets speaking connections finish, then closes 1001.',

  'flow:turns':
    'At most five contexts of one connection speak at once when some are closed; those closed and overtaken speak one at a time.',
  'flow:turns-isolation': 'They do not keep another connection waiting.',

  // jambonz.
  'jambonz:greeting': 'The server speaks first: connect, with the rate of the audio to come.',
  'jambonz:refused':
    'A missing or bad key is refused at the upgrade with 401, an unknown voice with 404.',
  'jambonz:voice': "The voice of the query speaks, or else the address's.",
  'jambonz:audio': 'Audio comes in binary messages of whole 16-bit samples, and nothing else does.',
  'jambonz:words': 'Messages are whole words, also where their blanks were lost on the way.',
  'jambonz:stop': 'After a stop no audio of the text before it follows.',
  'jambonz:next': 'The text after a stop is spoken at once.',
  'jambonz:error': 'What goes wrong is said in a text message of the type error, before the close.',
  'jambonz:unknown': 'Messages of other types do nothing.',

  // Deepgram.
  'dialogue:voices': 'Each input is said by its voice, in order, on one stream of audio.',
  'dialogue:turn': 'A change of voice, or new_turn, completes what was sent before.',
  'dialogue:joint': 'No gap and no click is heard where one voice follows another.',
  'dialogue:unknown-voice': 'Nobody speaks, and nothing is charged, unless all voices exist.',
  'dialogue:buffering': 'Speech begins after about 40 characters and 8 words, or a whole sentence.',
  'dialogue:flush': 'is_final_audio_for_turn comes once for each flush, behind its audio.',
  'dialogue:final': 'is_final comes once for each context, and is the last of it.',
  'dialogue:alignment':
    'Times begin anew in each message, and those of all messages add up to the audio.',
  'dialogue:metered': 'The text of all voices is charged as it was written, tags included.',
  'dialogue:key': 'The key is accepted in the first message.',
  'dialogue:keep-alive': 'keep_alive restarts the clock, and opens no context.',
  'dialogue:models': 'The ids of expressive models are accepted.',
  'dialogue:tags': 'Audio tags are acted on or left out, also when they come in parts.',
  'dialogue:foreign': "A message of another websocket's is told which address it wanted.",
  'deepgram:metadata': 'The server speaks first: Metadata, and Warnings of what it will not do.',
  'deepgram:refused': 'What is wrong at connect is said by the handshake, in its own shape.',
  'deepgram:key': 'The key may come as Token, as Bearer, or as a subprotocol.',
  'deepgram:audio': 'Text is spoken by itself, in raw binary messages of the encoding asked for.',
  'deepgram:flush': 'Flushed comes behind the audio of all text before a Flush.',
  'deepgram:clear': 'After Cleared no audio of the text before follows, and the next is spoken.',
  'deepgram:close': 'Close has everything spoken, then the connection closes with 1000.',
  'deepgram:error': 'What goes wrong is said in an Error before the close.',

  // Cartesia.
  'cartesia:refused': 'What is wrong with the key is said by the handshake, in its own shape.',
  'cartesia:key': 'The key may come as X-API-Key, as Bearer, or as a parameter.',
  'cartesia:context': 'Each context has its own voice and format, and ends with done.',
  'cartesia:flush': 'flush_done comes behind the audio of all text before a flush.',
  'cartesia:delay': 'Text that waits for more is spoken after the delay that its client allows.',
  'cartesia:cancel': 'After a cancel no more audio of the context follows.',
  'cartesia:timestamps': 'Words are told whole, in order, by the clock of the context.',
  'cartesia:error': 'What goes wrong in a context ends it alone.',
  'cartesia:five':
    'Five contexts may be open; one more is told so in its own shape, and one that ended makes room.',
  'wire:foreign': "A message of another wire is refused, with that wire's address.",

  // What public clients send, and need back (test/fixtures/clients).
  'client:pipecat': 'pipecat hears all its text, and words by the clock of each chunk.',
  'client:dograh': 'A keep-alive may come before the settings.',
  'client:livekit-js': 'LiveKit for JS gets words by the clock of the context, turn after turn.',
  'client:livekit-python': 'LiveKit for Python gets the same, and its interruptions end.',
  'client:bolna': 'Bolna gives its key in the first frame, and recognises its own text.',
  'client:vocode': 'Vocode finds the word audio in every message, and whole numbers.',
  'client:ten': 'TEN may begin its query with &, and its key comes in the first frame.',
  'client:python-sdk': 'The Python SDK gets its close with code 1000.',
  'client:jambonz': 'jambonz is greeted, and hears PCM at the rate that it was told.',
  'client:dialogue-pipecat':
    'pipecat for dialogues is told of each turn, and keeps its connection.',
  'client:dialogue-livekit': 'LiveKit for dialogues speaks turn after turn on one connection.',
  'client:deepgram-pipecat': 'pipecat for Deepgram is told when a turn is spoken, and cleared.',
  'client:deepgram-livekit': 'LiveKit for Deepgram keeps a connection for turn after turn.',
  'client:cartesia-pipecat': 'pipecat for Cartesia is told of words and of the end of each turn.',
  'client:cartesia-livekit': 'LiveKit for Cartesia keeps a connection for turn after turn.',

  // Frames and handshakes, below the messages (RFC 6455).
  'frame:unmasked': 'A frame without a mask is closed with 1002.',
  'frame:reserved-bits': 'A frame with a reserved bit set is closed with 1002.',
  'frame:reserved-opcodes': 'A frame with a reserved opcode is closed with 1002.',
  'frame:control-frames': 'A control frame above 125 bytes or in fragments is closed with 1002.',
  'frame:fragments': 'Fragments out of order are closed with 1002.',
  'frame:invalid-utf8': 'A text message that is not UTF-8 is closed with 1007.',
  'frame:close-codes':
    'A close is answered with its own code, and with 1002 when nobody may send that code.',
  'frame:ping': 'A ping is echoed, also between the fragments of a message.',
  'frame:split-utf8': 'A fragment may end inside a character.',
  'frame:split-bytes': 'A frame may arrive a byte at a time.',
  'frame:lengths': 'Messages of every length up to 64 KiB are read.',
  'frame:empty': 'An empty message is answered like any that is not JSON.',
  'frame:oversize':
    'A message above 64 KiB is closed with 1009, after an in-band error if it is below 256 KiB.',
  'frame:fragment-flood': 'A message in countless fragments is cut off.',
  'frame:survival': 'Broken frames leave nothing behind.',
  'handshake:refused': 'A handshake with a wrong version, key, protocol or method is refused.',
  'handshake:missing':
    'A plain request to a websocket path gets 426, an Upgrade header and a typed error.',
  'handshake:no-compression': 'Compression is never negotiated.',
} as const;

export type RequirementId = keyof typeof REQUIREMENTS;
