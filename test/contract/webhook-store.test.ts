import { storages } from '../support/storages.ts';
import { webhookStoreContract } from './webhook-store-contract.ts';

for (const [technology, newPlace] of storages()) webhookStoreContract(technology, newPlace);
