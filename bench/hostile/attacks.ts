import type { Attack } from './attack.ts';
import {
  keylessMegabytes,
  manyUploads,
  slowUploads,
  swellingDictionary,
  swellingText,
} from './http-attacks.ts';
import { lockedDatabase } from './locked-database.ts';
import { longText, overload, stalledReaders } from './socket-attacks.ts';

/** Everything that one caller may do to the others, by the name that the table gives it. */
export const ATTACKS: Readonly<Record<string, Attack>> = {
  nothing: async (_target, log) => {
    await new Promise((resolve) => setTimeout(resolve, log.leftMs));
  },
  'keyless megabytes': keylessMegabytes,
  'long text': longText,
  'swelling text': swellingText,
  'swelling dictionary': swellingDictionary,
  'many uploads': manyUploads,
  'slow uploads': slowUploads,
  'stalled readers': stalledReaders,
  'locked database': lockedDatabase,
  'three times the streams': overload,
};
