import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CryptoSymbol } from '../../../../machines/index.ts';
import {
  type ConnectedEvmNode,
  createEvmNode,
  createEvmWatcher,
  evmChain,
  type Watcher,
} from '../../../../src/chains/index.ts';
import {
  type DeployedContract,
  type DeployedToken,
  deployContract,
  deployToken,
} from '../../../support/contracts/deploy.ts';
import { type Anvil, startAnvil } from '../../../support/nodes/anvil.ts';
import { describeWith } from '../../../support/run/components.ts';
import { createMemorySink, createMemoryStore, createMemoryWatchSet, silentLog } from '../../support/watcher-store.ts';
import { type FakeRpc, rejecting, relaying, startFakeRpc } from '../node/fake-rpc.ts';
import { createMemoryAccountReader, type MemoryAccountReader } from './memory-accounts.ts';

const describeWithAnvil = describeWith('anvil');
const SHOP = '0x00000000000000000000000000000000000000aa';
const ETHER = 10n ** 18n;

/** The watcher over a real node: only this shows that a real node understands its requests. */
describeWithAnvil('on a real chain', () => {
  const params = evmChain('ethereum-regtest');
  const sink = createMemorySink();
  const drops: bigint[] = [];
  let anvil: Anvil;
  let provider: FakeRpc;
  let failsToTrace = false;
  let node: ConnectedEvmNode;
  let watcher: Watcher;
  let accounts: MemoryAccountReader;
  let forwarder: DeployedContract;
  let taxed: DeployedToken;
  let seizable: DeployedToken;

  beforeAll(async () => {
    anvil = await startAnvil({ multicall3: true });
    forwarder = await deployContract(anvil, 'Forwarder');
    taxed = await deployToken(anvil, { kind: 'FeeToken', decimals: 18 });
    seizable = await deployToken(anvil, { kind: 'SeizableToken', decimals: 6 });
    const tokens = [
      { symbol: 'PEPE' as const, contract: taxed.address, decimals: taxed.decimals },
      { symbol: 'USDC' as const, contract: seizable.address, decimals: seizable.decimals },
    ];
    const store = createMemoryStore();
    const clock = { now: () => Date.now() };
    accounts = createMemoryAccountReader(store);
    for (const asset of ['ETH', 'PEPE', 'USDC'] as const) accounts.open({ watchKey: SHOP, asset });
    const watchSet = createMemoryWatchSet([SHOP]);
    provider = await startFakeRpc(
      relaying(anvil.url, ({ method }) =>
        failsToTrace && /trace/.test(method) ? rejecting(-32_603, 'internal error') : null,
      ),
    );
    node = createEvmNode({ urls: [provider.url], params, tokens, log: silentLog, clock });
    const dropSink = async (reported: readonly { readonly missingBaseUnits: bigint }[]) => {
      drops.push(...reported.map(({ missingBaseUnits }) => missingBaseUnits));
    };
    watcher = createEvmWatcher({
      params,
      node,
      store,
      watchSet,
      accounts,
      sink: sink.sink,
      dropSink,
      clock,
      log: silentLog,
      balanceCheckEveryMs: 0,
    });
    await anvil.mine(3);
    await watcher.step();
  });

  afterAll(async () => {
    await node?.close();
    await provider?.stop();
    await anvil?.stop();
  });

  function live() {
    const ids = [...new Set(sink.observations.map(({ outputId }) => outputId))];
    const words = ids.flatMap((id) => sink.last(id) ?? []).filter(({ status }) => status.kind !== 'gone');
    return words.map(({ outputId, asset, amountBaseUnits }) => [outputId, asset, amountBaseUnits]);
  }

  async function expected(asset: CryptoSymbol) {
    return (await accounts.openAccounts()).find((account) => account.asset === asset)?.expectedBaseUnits;
  }

  test('ether, tokens, a fee on transfer and coins from a contract are reported with the amount that arrived', async () => {
    const coin = await anvil.send({ to: SHOP, valueWei: ETHER });
    const token = await seizable.transfer(SHOP, 5_000_000n);
    const less = await taxed.transfer(SHOP, 1_000n);
    const internal = await forwarder.send('forward', [SHOP], { valueWei: 3n * ETHER });
    await watcher.step();
    expect(live()).toEqual([
      [coin, 'ETH', ETHER],
      [`${token}:0`, 'USDC', 5_000_000n],
      [`${less}:0`, 'PEPE', 990n],
      [`${internal}:internal:${SHOP}`, 'ETH', 3n * ETHER],
    ]);
    expect(await expected('ETH')).toBe(await anvil.balanceOf(SHOP));
    expect(await expected('PEPE')).toBe(990n);
    expect(drops).toEqual([]);
  });

  test('verification confirms each of them, and no higher amount', async () => {
    await anvil.mine(2);
    const outputs = sink.observations.map(({ network: _network, order: _order, status, ...output }) => ({
      output: { ...output, spends: [] },
      requiredConfirmations: 3,
      reportedHeight: 'height' in status ? status.height : null,
    }));
    await watcher.verify({ outputs });
    for (const { output } of outputs)
      expect(sink.last(output.outputId)?.status.kind, output.outputId).toBe('confirmed');
    const [coin] = outputs;
    if (coin === undefined) throw new Error('nothing was reported');
    await watcher.verify({ outputs: [{ ...coin, output: { ...coin.output, amountBaseUnits: 2n * ETHER } }] });
    expect(sink.last(coin.output.outputId)?.status.kind).toBe('gone');
    await watcher.verify({ outputs: [coin] });
    expect(sink.last(coin.output.outputId)?.status.kind).toBe('confirmed');
  });

  test('coins that vanish without a transaction are a drop, coins the owner sends are not', async () => {
    const before = await anvil.balanceOf(SHOP);
    await anvil.impersonate(SHOP);
    await anvil.send({ from: SHOP, to: anvil.accounts[1]?.address ?? '', valueWei: ETHER / 2n });
    await watcher.step();
    expect(drops).toEqual([]);
    const left = await anvil.balanceOf(SHOP);
    expect(left).toBeLessThan(before - ETHER / 2n);
    expect(await expected('ETH')).toBe(left);
    await seizable.send('seizeSilently', [SHOP, 1_000_000n]);
    await watcher.step();
    await watcher.step();
    expect(drops).toEqual([1_000_000n]);
    expect(await expected('USDC')).toBe(4_000_000n);
  });

  test('a reorg reverts the payments in it, and a rescan reports the remaining ones again', async () => {
    const before = live();
    const fromHeight = await anvil.height();
    await anvil.send({ to: SHOP, valueWei: 7n });
    await forwarder.send('forward', [SHOP], { valueWei: 9n });
    await watcher.step();
    expect(live()).toHaveLength(before.length + 2);
    await anvil.reorg(2);
    await watcher.step();
    expect(live()).toEqual(before);
    expect(drops).toHaveLength(1);
    const { outputs } = await watcher.rescan({ fromHeight: 0, toHeight: fromHeight });
    expect(outputs).toBe(before.length);
    expect(live()).toEqual(before);
  });

  test('a provider that fails to trace stops no poll and no verification', async () => {
    failsToTrace = true;
    const before = sink.observations.length;
    await forwarder.send('forward', [SHOP], { valueWei: 1n });
    const height = await anvil.height();
    for (let poll = 0; poll < 10; poll += 1) await watcher.step();
    const unnamed = sink.observations.at(-1)?.outputId ?? '';
    expect(unnamed).toMatch(new RegExp(`^balance:${SHOP}:${height}:[0-9a-f]{16}$`));
    expect(live()).toContainEqual([unnamed, 'ETH', 1n]);
    expect(sink.observations.length).toBe(before + 1);
    const coin = await anvil.send({ to: SHOP, valueWei: 7n });
    await watcher.step();
    expect(live()).toContainEqual([coin, 'ETH', 7n]);
    expect(watcher.status().cursorHeight).toBe(await anvil.height());
    const { network: _network, order: _order, status: _status, ...reported } = sink.last(unnamed) ?? ({} as never);
    const output = { ...reported, spends: [] };
    await watcher.verify({ outputs: [{ output, requiredConfirmations: 2, reportedHeight: height }] });
    expect(sink.last(unnamed)?.status).toMatchObject({ kind: 'confirmed', height });
    expect(watcher.status().warnings).toEqual([expect.stringMatching(/fails to trace .*internal error/)]);
  });
});
