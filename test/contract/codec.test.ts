import { CODECS } from '../../src/audio/codec.ts';
import { codecContract } from './codec-contract.ts';

for (const [name, codec] of Object.entries(CODECS)) codecContract(name, codec);
