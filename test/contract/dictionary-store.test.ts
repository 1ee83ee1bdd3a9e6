import { storages } from '../support/storages.ts';
import { dictionaryStoreContract } from './dictionary-store-contract.ts';

for (const [technology, newPlace] of storages()) dictionaryStoreContract(technology, newPlace);
