import { describe, expect, test } from 'vitest';
import type { Watcher } from '../../src/chains/index.ts';
import { createLateWatcher, type MadeWatcher } from '../../src/service/watchers/late-watcher.ts';

const NETWORK = 'ethereum-regtest';

describe('a watcher that needs a query before it can be created', () => {
  test('is created once, however many callers request it at the same time', async () => {
    let made = 0;
    const late = createLateWatcher(NETWORK, async () => {
      made += 1;
      return watcherOf([]);
    });
    await Promise.all([late.step(), late.verify({ outputs: [] }), late.rescan({ fromHeight: 0, toHeight: 0 })]);
    await late.step();
    expect(made).toBe(1);
  });

  test('reports why it could not be created, and is created at the next call', async () => {
    let isAway = true;
    const late = createLateWatcher(NETWORK, async () => {
      if (isAway) throw new Error('the node does not answer');
      return watcherOf([]);
    });
    expect(late.status()).toMatchObject({ network: NETWORK, lastError: null, cursorHeight: null });
    await expect(late.step()).rejects.toThrow('the node does not answer');
    expect(late.status()).toMatchObject({ lastError: 'the node does not answer', cursorHeight: null });
    isAway = false;
    await late.step();
    expect(late.status()).toMatchObject({ lastError: null, cursorHeight: 7 });
  });

  test('adds problems found during creation to the warnings of the watcher', async () => {
    const late = createLateWatcher(NETWORK, async () => watcherOf(['There is no contract at 0x9, configured as DAI.']));
    await late.step();
    expect(late.status().unwatchedAssets).toEqual(['MKR']);
    expect(late.status().warnings).toEqual(['There is no contract at 0x9, configured as DAI.', 'The node is pruned.']);
  });
});

// Helpers

function watcherOf(warnings: readonly string[]): MadeWatcher {
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
