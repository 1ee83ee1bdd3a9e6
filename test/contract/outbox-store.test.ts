import { storages } from '../support/storages.ts';
import { outboxStoreContract } from './outbox-store-contract.ts';

for (const [technology, newPlace] of storages()) outboxStoreContract(technology, newPlace);
