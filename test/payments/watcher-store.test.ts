import { randomUUID } from 'node:crypto';
import { createWatcherStore } from '../../src/payments/index.ts';
import { describeWatcherStore } from '../chains/support/watcher-store-contract.ts';
import { describeBothDatabases } from '../support/database.ts';

describeBothDatabases('the memory of a watcher', (database) => {
  describeWatcherStore('the store in tables', async () => {
    return createWatcherStore({ db: database().db, network: `network-${randomUUID()}`, onProgress: () => {} });
  });
});
