import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { readCallTraces, readFlatTraces } from '../../../../src/chains/evm/node/traces.ts';
import { type DeployedContract, deployContract } from '../../../support/contracts/deploy.ts';
import { type Anvil, startAnvil } from '../../../support/nodes/anvil.ts';
import { describeWith } from '../../../support/run/components.ts';
import { type FakeRpc, type ResponseCall, rejecting, relaying, startFakeRpc } from './fake-rpc.ts';
import { cursorAt, makeNode } from './make-node.ts';

const describeWithAnvil = describeWith('anvil');
const SHOP = '0x00000000000000000000000000000000000000aa';
const OTHER = '0x00000000000000000000000000000000000000bb';
const TXID = `0x${'17'.repeat(32)}`;
const BLOCK = { height: 7, blockHash: `0x${'bb'.repeat(32)}` };

describeWithAnvil('internal transfers at a real node', () => {
  let anvil: Anvil;
  let fake: FakeRpc;
  let forwarder: DeployedContract;

  beforeAll(async () => {
    anvil = await startAnvil();
    forwarder = await deployContract(anvil, 'Forwarder');
    fake = await startFakeRpc();
  });
  afterEach(() => {
    fake.handle = () => null;
  });
  afterAll(async () => {
    await fake?.stop();
    await anvil?.stop();
  });

  async function transfersOfBlock(response: ResponseCall, height: number) {
    fake.handle = relaying(anvil.url, response);
    const { node } = makeNode([fake.url]);
    try {
      return await node.internalTransfers(new Set([SHOP, OTHER]), await cursorAt(node, height));
    } finally {
      await node.close();
    }
  }

  const withoutDebug: ResponseCall = ({ method }) =>
    method.startsWith('debug_') ? rejecting(-32_601, 'the method debug_traceBlockByHash does not exist') : null;
  const dialects: readonly [string, ResponseCall][] = [
    ['call traces', () => null],
    ['flat traces', withoutDebug],
  ];

  test.each(dialects)('are found in %s, however a contract moved the coins', async (_, response) => {
    await anvil.setAutomine(false);
    const txids = {
      forward: await forwarder.send('forward', [SHOP], { valueWei: 1_000n }),
      forwardAll: await forwarder.send('forwardAll', [[SHOP, OTHER], 7n], { valueWei: 14n }),
      reverted: await forwarder.send('forwardAndRevert', [SHOP], { valueWei: 1_000n }),
      half: await forwarder.send('forwardHalf', [SHOP], { valueWei: 60n }),
      destroyed: await forwarder.send('forwardByDestroying', [OTHER], { valueWei: 9n }),
      direct: await anvil.send({ to: SHOP, valueWei: 5n }),
      nothing: await forwarder.send('forward', [SHOP], { valueWei: 0n }),
    };
    await anvil.mine();
    await anvil.setAutomine(true);
    const found = await transfersOfBlock(response, await anvil.height());
    const byTxid = (txid: string) =>
      found?.transfers.filter((transfer) => transfer.txid === txid).map(({ to, valueWei }) => [to, valueWei]);
    expect(byTxid(txids.forward)).toEqual([[SHOP, 1_000n]]);
    expect(byTxid(txids.forwardAll)).toEqual([
      [SHOP, 7n],
      [OTHER, 7n],
    ]);
    expect(byTxid(txids.half)).toEqual([[SHOP, 30n]]);
    expect(byTxid(txids.destroyed)).toEqual([[OTHER, 9n]]);
    expect(found?.transfers).toHaveLength(5);
    expect(found?.txids).toEqual(new Set(Object.values(txids)));
  });

  test.each(dialects)('are none in %s of a block without any', async (_, response) => {
    const txid = await anvil.send({ to: SHOP, valueWei: 5n });
    expect(await transfersOfBlock(response, await anvil.height())).toEqual({ transfers: [], txids: new Set([txid]) });
  });

  test.each(dialects)('are unknown where %s are empty, as for a block with pruned state', async (_, response) => {
    await anvil.mine();
    expect(await transfersOfBlock(response, await anvil.height())).toBeNull();
  });

  test.each([
    ['neither method exists', rejecting(-32_601, 'Method not found')],
    [
      'the plan has no tracing',
      rejecting(-32_600, 'trace methods are not available on the Free tier - upgrade to Pay'),
    ],
  ])('are null when %s, and each method was tried once', async (_, rejection) => {
    fake.handle = relaying(anvil.url, ({ method }) => (/trace/.test(method) ? rejection : null));
    const before = fake.count('trace_block') + fake.count('debug_traceBlockByHash');
    const { node } = makeNode([fake.url]);
    expect(await node.internalTransfers(new Set([SHOP]), await cursorAt(node, 1))).toBeNull();
    expect(await node.internalTransfers(new Set([SHOP]), await cursorAt(node, 1))).toBeNull();
    expect(fake.count('trace_block') + fake.count('debug_traceBlockByHash') - before).toBe(2);
    await node.close();
  });

  test('are null when the state is pruned, and requested again in the next block', async () => {
    const txid = await anvil.send({ to: SHOP, valueWei: 5n });
    const height = await anvil.height();
    let isPruned = true;
    fake.handle = relaying(anvil.url, ({ method }) =>
      isPruned && /trace/.test(method)
        ? rejecting(-32_000, 'required historical state unavailable (reexec=128)')
        : null,
    );
    const { node } = makeNode([fake.url]);
    expect(await node.internalTransfers(new Set([SHOP]), await cursorAt(node, height))).toBeNull();
    isPruned = false;
    const nothing = { transfers: [], txids: new Set([txid]) };
    expect(await node.internalTransfers(new Set([SHOP]), await cursorAt(node, height))).toEqual(nothing);
    await node.close();
  });

  // Besu without its experimental tracers, and nodes that ignore the tracer.
  test.each([{ error: 'Not Yet Implemented' }, { gas: 21_000, failed: false, structLogs: [] }])(
    'are found by the other method when call traces are none: %j',
    async (result) => {
      const txHash = await forwarder.send('forward', [SHOP], { valueWei: 7n });
      const found = await transfersOfBlock(
        ({ method }) => (method.startsWith('debug_') ? { result: [{ txHash, result }] } : null),
        await anvil.height(),
      );
      expect(found?.transfers).toEqual([{ to: SHOP, valueWei: 7n, txid: txHash }]);
    },
  );

  test('are found by the other method when one fails', async () => {
    await forwarder.send('forward', [SHOP], { valueWei: 7n });
    const found = await transfersOfBlock(
      ({ method }) => (method.startsWith('debug_') ? rejecting(-32_603, 'internal error') : null),
      await anvil.height(),
    );
    expect(found?.transfers).toMatchObject([{ to: SHOP, valueWei: 7n }]);
  });

  test.each([
    ['with an internal error', { status: 200, error: { code: -32_603, message: 'internal error' } }],
    ['because the response is too big', { status: 200, error: { code: -32_008, message: 'response too big' } }],
    ['with 429', { status: 429 }],
    ['with 504', { status: 504 }],
  ])('fail %s, and other requests to the node continue', async (_, { status, ...body }) => {
    const relay = relaying(anvil.url, () => null);
    fake.handle = (request) => {
      const { body: call } = request;
      if (!JSON.stringify(call).includes('trace') || !('id' in call)) return relay(request);
      return { status, text: JSON.stringify({ jsonrpc: '2.0', id: call.id, ...body }) };
    };
    const { node, logged } = makeNode([fake.url, anvil.url]);
    await node.heads();
    await expect(node.internalTransfers(new Set([SHOP]), await cursorAt(node, 1))).rejects.toThrow();
    expect((await node.heads()).latest.height).toBe(await anvil.height());
    expect(node.status()).toMatchObject({ endpoint: fake.url, failovers: 0 });
    expect(logged).toEqual([]);
    await node.close();
  });

  test('are null when only tracing is rejected with 403, and other requests continue', async () => {
    const relay = relaying(anvil.url, () => null);
    fake.handle = (request) =>
      JSON.stringify(request.body).includes('trace') ? { status: 403, text: 'forbidden' } : relay(request);
    const { node } = makeNode([fake.url]);
    expect(await node.internalTransfers(new Set([SHOP]), await cursorAt(node, 1))).toBeNull();
    expect((await node.heads()).latest.height).toBe(await anvil.height());
    await node.close();
  });
});

test('ignore DELEGATECALL, CALLCODE and STATICCALL', () => {
  const call = (type: string, extra: object = {}) => ({ type, from: OTHER, to: SHOP, value: '0x5', ...extra });
  const calls = ['DELEGATECALL', 'CALLCODE', 'STATICCALL'].map((type) => call(type));
  const result = { ...call('CALL'), calls: [...calls, call('CALL', { value: '0x6', calls: [call('CREATE2')] })] };
  expect(readCallTraces([{ txHash: TXID, result }])?.transfers).toEqual([
    { to: SHOP, valueWei: 6n, txid: TXID },
    { to: SHOP, valueWei: 5n, txid: TXID },
  ]);
  const flat = (callType: string, traceAddress: readonly number[]) => ({
    type: 'call',
    action: { callType, from: OTHER, to: SHOP, value: '0x5' },
    transactionHash: TXID,
    traceAddress,
  });
  expect(
    readFlatTraces([flat('call', []), flat('delegatecall', [0]), flat('callcode', [1]), flat('call', [10])], BLOCK)
      ?.transfers,
  ).toEqual([{ to: SHOP, valueWei: 5n, txid: TXID }]);
});

test('ignore failed calls and their subcalls, and keep their siblings', () => {
  const call = (value: string, extra: object = {}) => ({ type: 'CALL', from: OTHER, to: SHOP, value, ...extra });
  const failed = call('0x1', { error: 'out of gas', calls: [call('0x2', { calls: [call('0x3')] })] });
  const result = call('0x4', { calls: [failed, call('0x5'), call('0x6', { error: 'execution reverted' })] });
  const transfers = [{ to: SHOP, valueWei: 5n, txid: TXID }];
  const txids = new Set([TXID]);
  expect(readCallTraces([{ txHash: TXID, result }])).toEqual({ transfers, txids });
  const reverted = { txHash: TXID, result: { ...result, error: 'execution reverted' } };
  expect(readCallTraces([reverted])).toEqual({ transfers: [], txids });
});

test('in flat traces drop everything below a failed call, and nothing next to it', () => {
  const flat = (traceAddress: readonly number[], error?: string) => ({
    type: 'call',
    action: { callType: 'call', from: OTHER, to: SHOP, value: `0x${traceAddress.join('')}` },
    transactionHash: TXID,
    traceAddress,
    ...(error === undefined ? {} : { error }),
  });
  const reward = { type: 'reward', action: { author: SHOP, value: '0x1' }, traceAddress: [], transactionHash: null };
  const traces = [
    { ...flat([1]), traceAddress: [] },
    flat([1], 'Reverted'),
    flat([1, 2]),
    flat([1, 2, 3]),
    flat([2]),
    flat([2, 1]),
    flat([1, 1]),
    reward,
  ];
  const read = readFlatTraces(traces, BLOCK);
  expect(read?.transfers.map(({ valueWei }) => valueWei)).toEqual([0x2n, 0x21n]);
  expect(read?.txids).toEqual(new Set([TXID]));
  const blockHashes = [BLOCK.blockHash, `0x${'cc'.repeat(32)}`];
  const [here, elsewhere] = blockHashes.map((blockHash) => traces.map((trace) => ({ ...trace, blockHash })));
  expect(readFlatTraces(here, BLOCK)?.transfers).toHaveLength(2);
  expect(readFlatTraces(elsewhere, BLOCK), 'traces of a sibling block').toBeNull();
});
