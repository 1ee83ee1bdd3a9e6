import { storages } from '../support/storages.ts';
import { accountStoreContract } from './account-store-contract.ts';

for (const [technology, newPlace] of storages()) accountStoreContract(technology, newPlace);
