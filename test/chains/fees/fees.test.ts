import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createBitcoindRpc, createEvmFees, createUtxoFees, RpcError } from '../../../src/chains/index.ts';
import { createChainOverview } from '../../../src/payments/index.ts';
import { recordFees } from '../../../src/payments/watching/record-fees.ts';
import { RetryableError, TerminalError } from '../../../src/platform/errors.ts';
import { createTestClock } from '../../support/clock.ts';
import { describeDatabases } from '../../support/database/test-database.ts';
import { type Anvil, startAnvil } from '../../support/nodes/anvil.ts';
import { type Litecoind, startLitecoind } from '../../support/nodes/litecoind.ts';
import { describeWith } from '../../support/run/components.ts';
import { assertAsyncProperty } from '../../support/run/fast-check.ts';
import { makeNode } from '../evm/node/make-node.ts';

const responding = (response: unknown) => ({ call: async () => response });
const rejecting = (error: Error) => ({
  call: async () => {
    throw error;
  },
});

describe('the fee of a usual transfer', () => {
  test('is the rate for 141 virtual bytes, of 226 without segregated witness, in two digits', async () => {
    // 20 satoshi for a byte.
    expect(await createUtxoFees(responding({ feerate: 0.0002, blocks: 6 }), 'BTC')()).toEqual({
      coin: 2800n,
      token: null,
    });
    expect(await createUtxoFees(responding({ feerate: 0.01 }), 'DOGE')()).toEqual({ coin: 230_000n, token: null });
    expect(await createUtxoFees(responding({ feerate: 0.00001 }), 'DASH')()).toEqual({ coin: 230n, token: null });
  });

  test('is within 5 % of the exact one', async () => {
    await assertAsyncProperty(
      fc.asyncProperty(fc.integer({ min: 1_000, max: 50_000_000 }), async (perKilobyte) => {
        const fees = await createUtxoFees(responding({ feerate: perKilobyte / 1e8 }), 'LTC')();
        const exact = (perKilobyte * 141) / 1_000;
        // A tenth of a percent and a unit more: the rate is rounded up, the fee down.
        expect(Math.abs(Number(fees?.coin) - exact)).toBeLessThanOrEqual(exact * 0.051 + 1);
      }),
    );
  });

  test('is unknown without an estimate and where the call is not allowed', async () => {
    for (const response of [{ errors: ['Insufficient data'] }, { feerate: -1 }, null, 'text']) {
      expect(await createUtxoFees(responding(response), 'LTC')()).toBeNull();
    }
    for (const error of [
      new RpcError('estimatesmartfee', -32601, 'Method not found'),
      new TerminalError('NODE_REFUSED_CREDENTIALS', '403'),
    ]) {
      expect(await createUtxoFees(rejecting(error), 'LTC')()).toBeNull();
    }
    const silent = new RetryableError('NODE_UNREACHABLE', 'no response');
    await expect(createUtxoFees(rejecting(silent), 'LTC')()).rejects.toBe(silent);
  });

  test('is 21,000 gas on account-based chains, and 65,000 for a token', async () => {
    const heads = async (): Promise<never> => ({}) as never;
    const fees = createEvmFees({ heads, gasPriceWei: async () => 1_234_567_890n });
    expect(await fees()).toEqual({ coin: 26_000_000_000_000n, token: 80_000_000_000_000n });
  });
});

describeWith('litecoind')('of a Litecoin node', () => {
  let node: Litecoind;
  beforeAll(async () => {
    node = await startLitecoind();
  });
  afterAll(() => node?.stop());

  test('is unknown on a network of its own, which has no history to estimate from', async () => {
    const rpc = createBitcoindRpc({ url: node.rpcUrl });
    expect(await createUtxoFees(rpc, 'LTC')()).toBeNull();
    await rpc.close();
  });
});

describeWith('anvil')('of an Ethereum node', () => {
  let anvil: Anvil;
  beforeAll(async () => {
    anvil = await startAnvil();
  });
  afterAll(() => anvil?.stop());

  test('follows the price of gas that the node proposes', async () => {
    const { node } = makeNode(['http://127.0.0.1:1', anvil.url]);
    // The first node is away.
    const fees = await createEvmFees(node)();
    const price = await node.gasPriceWei();
    expect(price).toBeGreaterThan(0n);
    expect(Number(fees?.coin)).toBeCloseTo(Number(price * 21_000n), -12);
    expect(Number(fees?.token) / Number(fees?.coin)).toBeCloseTo(65 / 21, 0);
    await node.close();
  });
});

describeDatabases('the fees of a network', (database) => {
  test('are what its watcher read last, while it watches', async () => {
    const { db } = database();
    const clock = createTestClock();
    const network = `ethereum-${randomUUID()}`;
    const fetchFees = async () => ({ coin: 26n, token: 80n });
    // No watcher has ever polled: there is no row yet.
    await recordFees({ db, network, fetchFees });
    const row = { network, epoch: 1, height: 5, synced_until: new Date(clock.now()) };
    await db.insertInto('chain_cursor').values(row).execute();
    await recordFees({ db, network, fetchFees });
    const feesNow = async () => {
      const overview = createChainOverview({ db, clock, networks: [network] });
      return [await overview.transferFee(network, 'ETH'), await overview.transferFee(network, 'USDT')];
    };
    expect(await feesNow()).toEqual([26n, 80n]);
    await recordFees({ db, network, fetchFees: async () => ({ coin: 30n, token: null }) });
    expect(await feesNow()).toEqual([30n, null]);
    await recordFees({ db, network, fetchFees: async () => null });
    expect(await feesNow()).toEqual([null, null]);
    await recordFees({ db, network, fetchFees });
    await sql`update chain_cursor set fees_at = fees_at - interval '16 minutes' where network = ${network}`.execute(db);
    expect(await feesNow(), 'the node has not answered since').toEqual([null, null]);
    await recordFees({ db, network, fetchFees });
    clock.advance(3_600_000);
    expect(await feesNow()).toEqual([null, null]);
  });
});
