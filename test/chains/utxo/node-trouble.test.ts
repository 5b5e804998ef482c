import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { utxoChain } from '../../../src/chains/index.ts';
import { type DialectNode, NETWORKS, startDialectNode } from '../../support/nodes/dialect-node.ts';
import { type Litecoind, startLitecoind } from '../../support/nodes/litecoind.ts';
import { describeWith } from '../../support/run/components.ts';
import { level } from '../../support/run/level.ts';
import { UTXO_COINS, type UtxoCoin } from '../support/dialects.ts';
import type { Misbehaviour } from '../support/json-rpc-server.ts';
import { createRealWatcher, type RealWatcher } from '../support/real-watcher.ts';

/**
 * Every failure of a node, in the dialect of every coin. While it lasts, nothing untrue is reported
 * and the watermark does not move; the operator gets an actionable message; afterwards every
 * payment is found.
 */

const describeWithNode = describeWith('litecoind');
/** The oldest dialect, of which the others are extensions, is enough for the quick level. */
const COINS = level.pick<readonly UtxoCoin[]>({ quick: ['DOGE'], full: UTXO_COINS });
const SHORT_TIMEOUT_MS = 200;
const COINBASE_MATURITY_BLOCKS = 100;
const BLINDING: readonly (readonly [Misbehaviour, RegExp])[] = [
  ['refuses', /127\.0\.0\.1:\d+ does not respond: ECONNREFUSED/],
  ['overloaded', /returned HTTP 503: Work queue depth exceeded/],
  ['html', /returned HTTP 502: \d+ bytes that are not JSON-RPC/],
  ['garbage', /returned HTTP 200: \d+ bytes that are not JSON-RPC/],
  ['wrong types', /response has an unexpected shape/],
  ['breaks off', /does not respond/],
  ['warming up', /is starting: Loading block index/],
  ['unauthorized', /check the user and password in the node's RPC URL/],
];

let node: Litecoind;
let miner: string;
let dialect: DialectNode;
let at: RealWatcher;
/** Scripts paid before the failure: one payment in a block, one in the mempool. */
let mined: string;
let waiting: string;
/** Scripts paid while the watcher could not poll. */
let missed: string[];

describeWithNode('on a real node', () => {
  beforeAll(async () => {
    node = await startLitecoind({ plainBytes: true });
    // The paying wallet receives no new block rewards: in a reorganisation the node drops payments
    // from immature ones.
    await node.rpc('createwallet', ['miner'], '');
    miner = await node.rpc<string>('getnewaddress', ['', 'bech32'], 'miner');
    await node.mine(COINBASE_MATURITY_BLOCKS + 10, miner);
  });
  afterAll(() => node?.stop());

  describe.each(COINS)('in trouble, in the dialect of %s', (coin) => {
    beforeEach(async () => {
      dialect = await startDialectNode({ coin, upstream: node });
      // As on a public network, with regular blocks and peers.
      const params = { ...utxoChain(NETWORKS[coin]), staleAfterMs: 3_600_000 };
      at = createRealWatcher({ params, url: dialect.url });
      await at.step();
      missed = [];
      mined = await pay();
      const [first] = await node.rpc<string[]>('getrawmempool');
      waiting = await pay();
      // Both are older than the block: wallet transactions are invalid below the height at which
      // they were created.
      await node.rpc('generateblock', [miner, [first]]);
      await at.step();
      expect(at.reported().sort()).toEqual(['block', 'mempool']);
    });
    afterEach(async () => {
      await at.close();
      await dialect.stop();
      await node.mine(1, miner);
    });

    test('that is hours behind, with a shorter chain and an empty mempool: nothing is undone', async () => {
      await dialect.fallBehind(3, 5);
      await expectBlind(/still syncing|hours old/);
      at.restart();
      await expectBlind(/still syncing|hours old/);
      await expectNothingMissed(() => dialect.fallBehind(0, 0));
    });

    test('that has lost its peers and follows its own fork: nothing is undone', async () => {
      const stale = await node.rpc<string>('getbestblockhash');
      dialect.setPeers(0);
      await node.rpc('invalidateblock', [stale]);
      await expectBlind(/the node has no peers/);
      await expectNothingMissed(async () => {
        await node.rpc('reconsiderblock', [stale]);
        dialect.setPeers(8);
      });
    });

    test('that has a longer chain without peers: it is shown, but moves no watermark and removes nothing', async () => {
      const syncedUntil = at.store.syncedUntil();
      dialect.setPeers(0);
      await node.mine(1, miner);
      await at.step();
      expect(at.statuses(waiting)).toMatchObject([{ kind: 'block' }]);
      expect(at.store.syncedUntil()).toBe(syncedUntil);
      expect(at.status().warnings).toEqual([expect.stringMatching(/^The node has no peers/)]);
      dialect.setPeers(8);
      await at.step();
      expect(at.status().warnings).toEqual([]);
      expect(at.store.syncedUntil()).toBeGreaterThan(syncedUntil ?? Number.POSITIVE_INFINITY);
    });

    test('that returns from a fork to the chain of the others: each payment is where it was', async () => {
      const [block] = at.statuses(mined);
      const stale = await node.rpc<string>('getbestblockhash');
      await node.rpc('invalidateblock', [stale]);
      await node.rpc('generateblock', [miner, []]);
      await node.rpc('generateblock', [miner, []]);
      const fork = await parentOf(await node.rpc<string>('getbestblockhash'));
      await at.step();
      expect(at.statuses(mined)).toEqual([{ kind: 'mempool' }]);
      await node.rpc('invalidateblock', [fork]);
      await node.rpc('reconsiderblock', [stale]);
      await at.step();
      expect(at.statuses(mined)).toEqual([block]);
      expect(at.reported()).not.toContainEqual(expect.stringMatching(/^gone/));
    });

    test('that turns out to be of another network: it is rejected with the remedy', async () => {
      dialect.pretendOtherNetwork(true);
      at.restart();
      await expectBlind(new RegExp(`not on ${NETWORKS[coin]}.*Point the RPC URL at a node of this network`));
      await expectNothingMissed(async () => dialect.pretendOtherNetwork(false));
    });

    test.each(BLINDING)('that %s: nothing is reported, and nothing is missed afterwards', async (how, message) => {
      await dialect.misbehave(how);
      await expectBlind(message);
      await expectNothingMissed(() => dialect.misbehave(null));
    });

    test('that hangs: nothing is reported, and nothing is missed afterwards', async () => {
      await dialect.misbehave('hangs');
      at.restart({ timeoutMs: SHORT_TIMEOUT_MS });
      await expectBlind(/does not respond: no response within 200 ms/);
      at.restart();
      await expectNothingMissed(() => dialect.misbehave(null));
    });

    test('that is slow: everything is still found', async () => {
      await dialect.misbehave('slow');
      const syncedUntil = at.store.syncedUntil();
      const late = await pay();
      await at.step();
      expect(at.statuses(late)).toEqual([{ kind: 'mempool' }]);
      expect(at.store.syncedUntil()).toBeGreaterThan(syncedUntil ?? Number.POSITIVE_INFINITY);
    });

    test('that is killed and restarted: the watcher continues where it was', async () => {
      await node.kill();
      await expectBlind(/does not respond/, { isAlive: false });
      await node.restart();
      await expectNothingMissed(async () => {});
    });
  });
});

// Helpers

/** Pays a new watched address; returns its script. */
async function pay(): Promise<string> {
  const { address, scriptHex } = await at.watchedAddress(node);
  await node.rpc('sendtoaddress', [address, 0.01]);
  return scriptHex;
}

/** Polls fail with the message and change nothing, while a customer pays. */
async function expectBlind(message: RegExp, { isAlive = true } = {}): Promise<void> {
  const reported = at.reported();
  const syncedUntil = at.store.syncedUntil();
  const { cursorHeight } = at.status();
  if (isAlive) missed.push(await pay());
  for (let poll = 0; poll < 2; poll += 1) await expect(at.step()).rejects.toThrow(message);
  const { lastError } = at.status();
  expect(lastError).toMatch(message);
  expect(lastError).not.toMatch(/user:|password@/);
  expect(at.reported()).toEqual(reported);
  expect(at.store.syncedUntil()).toBe(syncedUntil);
  expect(at.status().cursorHeight).toBe(cursorHeight);
}

/** After the failure all payments have their true status, and none was ever reported as gone. */
async function expectNothingMissed(end: () => Promise<void>): Promise<void> {
  const syncedUntil = at.store.syncedUntil();
  await end();
  await at.step();
  expect(at.statuses(mined)).toMatchObject([{ kind: 'block' }]);
  expect(at.statuses(waiting)).toEqual([{ kind: 'mempool' }]);
  await node.mine(1, miner);
  await at.step();
  for (const scriptHex of [waiting, ...missed]) {
    expect(at.statuses(scriptHex)).toMatchObject([{ kind: 'block' }]);
  }
  expect(at.reported()).not.toContainEqual(expect.stringMatching(/^gone/));
  expect(at.store.syncedUntil()).toBeGreaterThan(syncedUntil ?? Number.POSITIVE_INFINITY);
  expect(at.status()).toMatchObject({ lastError: null, warnings: [] });
}

async function parentOf(hash: string): Promise<string> {
  const { previousblockhash } = await node.rpc<{ previousblockhash: string }>('getblockheader', [hash]);
  return previousblockhash;
}
