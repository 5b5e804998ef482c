import { createMemoryStore } from './support/watcher-store.ts';
import { describeWatcherStore } from './support/watcher-store-contract.ts';

describeWatcherStore('the in-memory store', async () => createMemoryStore());
