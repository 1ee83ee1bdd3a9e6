import type { Carrier } from '../../calls/carrier.ts';
import { AudioSocketDialect } from './audiosocket-dialect.ts';

/** Asterisk's application AudioSocket() and its channel driver of the same name. */
export const audiosocket: Carrier = {
  name: 'audiosocket',
  transport: 'tcp',
  unitsPerMessage: 1,
  // Asterisk plays a packet as one frame when it comes; a longer one would be a burst.
  maxUnitsPerMessage: 1,
  // Nothing is buffered at the other end: a frame being played, and one against jitter.
  leadMs: 40,
  answersMarks: false,
  clears: false,
  open: (request) => new AudioSocketDialect(request),
};
