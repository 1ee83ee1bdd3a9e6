import type { Carrier, StreamRequest } from '../../calls/carrier.ts';
import { FreeswitchDialect } from './freeswitch-dialect.ts';
import { abilitiesOf, type FreeswitchManner, mannerOf } from './freeswitch-manner.ts';

/**
 * FreeSWITCH with mod_audio_stream, which is what it is taken for unless the stream's address says
 * `module=audio_fork`. What each can do is in `abilitiesOf`.
 */
export const freeswitch: Carrier = {
  ...carrierOf({ module: 'audio_stream', playback: 'json', hasMarks: false, clears: false }),
  variant: (request) => carrierOf(mannerOf(request)),
};

function carrierOf(manner: FreeswitchManner): Carrier {
  return {
    name: 'freeswitch',
    transport: 'websocket',
    ...abilitiesOf(manner),
    open: (request: StreamRequest) => new FreeswitchDialect(request, mannerOf(request)),
  };
}
