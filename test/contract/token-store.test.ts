import { storages } from '../support/storages.ts';
import { tokenStoreContract } from './token-store-contract.ts';

for (const [technology, newPlace] of storages()) tokenStoreContract(technology, newPlace);
