import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorld } from '../../../demo/world.ts';
import { ASSETS, type Mode } from '../../../machines/index.ts';
import type { TransactionView } from '../../../src/payments/index.ts';
import { createDeriver } from '../../../src/wallets/index.ts';
import { startAnvil } from '../../support/nodes/anvil.ts';
import { type Litecoind, startLitecoind } from '../../support/nodes/litecoind.ts';
import { level } from '../../support/run/level.ts';
import { type Coin, keyOf, type Nodes, startTwoModes, type TwoModes } from '../two-modes-harness.ts';
import { describeEveryCoin } from './every-coin-harness.ts';

type Coins = Readonly<Record<Mode, Coin>>;

const LITECOIN_TESTED: Coins = { test: 'LTC', live: 'ETH' };
const ETHER_TESTED: Coins = { test: 'ETH', live: 'LTC' };
/** Both modes run the same watchers, so the quick level tests one mix. */
const MIXES = level.pick<readonly Coins[]>({ quick: [LITECOIN_TESTED], full: [LITECOIN_TESTED, ETHER_TESTED] });
const PAID = ['payment.created', 'payment.pending', 'payment.completed'];

describeEveryCoin('test keys on test networks, next to live keys', () => {
  let node: Litecoind | undefined;
  let nodes: Nodes;

  beforeAll(async () => {
    node = await startLitecoind();
    nodes = { world: createWorld(node), anvil: await startAnvil() };
  });
  afterAll(async () => {
    await nodes?.anvil.stop();
    await node?.stop();
  });

  describe.each(MIXES)('$test with test keys, $live with live keys', (coins) => {
    const name = `shop ${process.pid} ${coins.test}`;
    let shop: TwoModes;

    beforeAll(async () => {
      shop = await startTwoModes(nodes, { name, coins });
    });
    afterAll(() => shop?.close());

    const firstAddressOf = (mode: Mode) => {
      const spec = {
        chain: ASSETS[coins[mode]].chain,
        networkKind: 'regtest',
        key: keyOf(name, mode, coins[mode]),
      } as const;
      const addressType = coins[mode] === 'LTC' ? 'p2wpkh' : 'evm';
      return createDeriver({ ...spec, addressType }).addressAt(0).address;
    };

    test('a payment of each is paid on its chain into its own wallet, and both count toward the plan', {
      timeout: 120_000,
    }, async () => {
      const payments: Record<Mode, TransactionView> = {
        test: await shop.create('test', coins.test),
        live: await shop.create('live', coins.live),
      };
      for (const mode of ['test', 'live'] as const) {
        const payment = payments[mode];
        expect(payment.deposit_address).toBe(firstAddressOf(mode));
        await shop.pay(payment);
        await shop.comesTo(mode, payment.transaction_id, 'awaiting_confirmation');
        await shop.mine(coins[mode], payment.confirmations_required);
        const completed = await shop.comesTo(mode, payment.transaction_id, 'completed');
        expect(completed.amount_paid).toBe(payment.amount_crypto);
        const webhooks = await shop.webhooksOf(payment.transaction_id, PAID.length);
        expect(webhooks.map(({ event }) => event)).toEqual(PAID);
        expect(webhooks.map(({ body }) => (JSON.parse(body) as { mode: string }).mode)).toEqual([mode, mode, mode]);
        expect(webhooks.every(({ isGenuine }) => isGenuine)).toBe(true);
        // The live payment comes second, so the first count includes only the test payment.
        const { body } = await shop.ask<{ usage: { used: number } }>(mode, '/stats');
        expect(body.data.usage.used).toBe(mode === 'test' ? 1 : 2);
      }
    });

    test('a test payment cannot be simulated, and the error gives the reason and the remedy', async () => {
      const { transaction_id: id } = await shop.create('test', coins.test);
      const network = `${ASSETS[coins.test].chain}-regtest`;
      expect(await shop.ask('test', `/transactions/${id}/simulate`, { action: 'pay' })).toMatchObject({
        status: 403,
        body: {
          error: 'FORBIDDEN',
          message: expect.stringMatching(
            new RegExp(`is on ${network}, a real network.*send test coins to its deposit_address`),
          ),
        },
      });
      await shop.comesTo('test', id, 'pending');
    });

    test('neither key is paid in the coin of the other, and each lists its own networks', async () => {
      for (const [mode, other] of [
        ['test', 'live'],
        ['live', 'test'],
      ] as const) {
        const { status, body } = await shop.ask(mode, '/transactions/create', { crypto: coins[other], amount: 25 });
        const missing = mode === 'test' ? 'has not connected a test node of' : 'has not connected a node of';
        expect([status, body.error, body.message]).toEqual([
          400,
          'WALLET_NOT_CONFIGURED',
          expect.stringContaining(missing),
        ]);
        const payable = await shop.ask<readonly { symbol: string; network: string }[]>(mode, '/merchant/cryptos');
        expect(payable.body.data).toMatchObject([{ symbol: coins[mode], network: 'regtest' }]);
      }
    });

    test('the operator sees that both networks are watched', async () => {
      const { status, body } = await shop.ask<unknown>('test', '/health');
      expect([status, body]).toMatchObject([200, { status: 'ok' }]);
    });
  });
});
