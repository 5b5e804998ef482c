import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CryptoSymbol } from '../../../machines/index.ts';
import { type Account, type Cursor, createEvmHistory } from '../../../src/chains/index.ts';
import { assertAsyncProperty } from '../../support/run/fast-check.ts';

const ASSETS = ['ETH', 'USDC', 'DAI'] as const;
const HEAD: Cursor = { height: 77, blockHash: '0xhead' };

interface FakeAccount {
  readonly nonce: number;
  readonly balances: Readonly<Partial<Record<CryptoSymbol, bigint>>>;
}

/** The part of a node that the history check calls, over a table of accounts. */
function fakeNode(accounts: ReadonlyMap<string, FakeAccount>, { isSyncing = false, hasState = true } = {}) {
  const latest = { height: HEAD.height, hash: HEAD.blockHash, timeSeconds: 0 };
  return {
    heads: async () => ({ latest, finalizedHeight: null, isSyncing }),
    balances: async (requested: readonly Account[], block: Cursor) => {
      expect(block).toEqual(HEAD);
      if (!hasState) return null;
      return requested.map(({ watchKey, asset }) => accounts.get(watchKey)?.balances[asset] ?? 0n);
    },
    nonces: async (requested: readonly string[], block: Cursor) => {
      expect(block).toEqual(HEAD);
      return requested.map((address) => accounts.get(address)?.nonce ?? 0);
    },
  };
}

const requested = (watchKeys: readonly string[]) => watchKeys.map((watchKey) => ({ watchKey, address: watchKey }));

describe('history on an EVM chain', () => {
  it('includes an address that sent something, or holds the coin or any listed token', async () => {
    const account = fc.record({
      nonce: fc.nat(1),
      balances: fc.record({
        ETH: fc.constantFrom(0n, 1n),
        USDC: fc.constantFrom(0n, 1n),
        DAI: fc.constantFrom(0n, 10n ** 30n),
      }),
    });
    await assertAsyncProperty(
      fc.asyncProperty(fc.array(account, { maxLength: 12 }), async (list) => {
        const accounts = new Map(list.map((each, index) => [`0x${index}`, each]));
        const history = createEvmHistory({ node: fakeNode(accounts), assets: ASSETS });
        const used = [...accounts].filter(([, each]) => {
          return each.nonce > 0 || Object.values(each.balances).some((balance) => balance > 0n);
        });
        const found = await history.usedAmong(requested([...accounts.keys()]));
        expect(found).toEqual(new Set(used.map(([address]) => address)));
      }),
    );
  });

  it('is unknown while the node is syncing, or lacks balances of its newest block', async () => {
    const syncing = createEvmHistory({ node: fakeNode(new Map(), { isSyncing: true }), assets: ASSETS });
    await expect(syncing.usedAmong(requested(['0x1']))).rejects.toMatchObject({ code: 'NODE_SYNCING' });
    const pruned = createEvmHistory({ node: fakeNode(new Map(), { hasState: false }), assets: ASSETS });
    await expect(pruned.usedAmong(requested(['0x1']))).rejects.toMatchObject({ code: 'STATE_UNAVAILABLE' });
  });

  it('is not guessed from a response that omits addresses', async () => {
    const node = { ...fakeNode(new Map()), balances: async () => [0n] };
    const history = createEvmHistory({ node, assets: ASSETS });
    await expect(history.usedAmong(requested(['0x1', '0x2']))).rejects.toMatchObject({
      code: 'NODE_RESPONSE_UNUSABLE',
    });
  });
});
