import { storages } from '../support/storages.ts';
import { voiceStoreContract } from './voice-store-contract.ts';

for (const [technology, newPlace] of storages()) voiceStoreContract(technology, newPlace);
