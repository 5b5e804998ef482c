import { describe, expect, test } from 'vitest';
import type { Watcher } from '../../src/chains/index.ts';
import { type CreatedWatcher, createLazyWatcher } from '../../src/service/watchers/lazy-watcher.ts';

const NETWORK = 'ethereum-regtest';

describe('a watcher that needs a query before it can be created', () => {
  test('is created once, however many callers request it at the same time', async () => {
    let made = 0;
    const lazy = createLazyWatcher(NETWORK, async () => {
      made += 1;
      return watcherOf([]);
    });
    await Promise.all([lazy.step(), lazy.verify({ outputs: [] }), lazy.rescan({ fromHeight: 0, toHeight: 0 })]);
    await lazy.step();
    expect(made).toBe(1);
  });

  test('reports why it could not be created, and is created at the next call', async () => {
    let isAway = true;
    const lazy = createLazyWatcher(NETWORK, async () => {
      if (isAway) throw new Error('the node does not answer');
      return watcherOf([]);
    });
    expect(lazy.status()).toMatchObject({ network: NETWORK, lastError: null, cursorHeight: null });
    await expect(lazy.step()).rejects.toThrow('the node does not answer');
    expect(lazy.status()).toMatchObject({ lastError: 'the node does not answer', cursorHeight: null });
    isAway = false;
    await lazy.step();
    expect(lazy.status()).toMatchObject({ lastError: null, cursorHeight: 7 });
  });

  test('adds problems found during creation to the warnings of the watcher', async () => {
    const lazy = createLazyWatcher(NETWORK, async () => watcherOf(['No contract found at 0x9, configured as DAI.']));
    await lazy.step();
    expect(lazy.status().unwatchedAssets).toEqual(['MKR']);
    expect(lazy.status().warnings).toEqual(['No contract found at 0x9, configured as DAI.', 'The node is pruned.']);
  });
});

// Helpers

function watcherOf(warnings: readonly string[]): CreatedWatcher {
  const watcher: Watcher = {
    network: NETWORK,
    step: async () => {},
    verify: async () => {},
    rescan: async () => ({ blocks: 1, outputs: 0 }),
    search: async () => ({ height: null, outputs: 0 }),
    status: () => ({
      network: NETWORK,
      cursorHeight: 7,
      tipHeight: 7,
      syncedUntil: 0,
      lastError: null,
      warnings: ['The node is pruned.'],
    }),
  };
  return { watcher, warnings, unwatchedAssets: ['MKR'] };
}
