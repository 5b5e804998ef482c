import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCustomer } from '../../demo/customer.ts';
import { type Outcome, play, playedOut } from '../../demo/play.ts';
import {
  CONFIRMATIONS,
  dueLitoshi,
  EXACT,
  litoshiOf,
  OVERPAID,
  SCENARIOS,
  type Scenario,
  type Stage,
  windowPasses,
} from '../../demo/scenarios.ts';
import { openShop } from '../../demo/shop.ts';
import { describeOutcomes } from '../../demo/table.ts';
import { createWorld, type World } from '../../demo/world.ts';
import { type Litecoind, startLitecoind } from '../support/nodes/litecoind.ts';
import { level } from '../support/run/level.ts';
import {
  type Backend,
  createEmbeddedBackend,
  createPooledBackend,
  createServerBackend,
  describeLitecoin,
  describePooledServers,
  describeServers,
} from './backends.ts';
import { comesTo, expectWebhooks, paymentsAre } from './expectations.ts';

/** Not part of the demo because nothing happens in it. */
const UNPAID: Scenario = {
  name: 'not paid at all',
  steps: [{ does: windowPasses, comesTo: 'expired' }],
  webhooks: [
    ['payment.created', 'pending'],
    ['payment.expired', 'expired'],
  ],
  paidPercent: 0n,
  payments: [],
};

/**
 * The quick level plays one payment here, and all histories of payments in test/payments/order and
 * test/machines/transaction.
 */
const PLAYED = level.pick({ quick: [EXACT], full: [...SCENARIOS, UNPAID] });
const FUNDS_PERCENT = 100n;
const COMPLETED = ['created', 'pending', 'completed'];

let node: Litecoind | undefined;
let world: World;

beforeAll(async () => {
  node = await startLitecoind();
  world = createWorld(node);
});
afterAll(() => node?.stop());

if (level.isFull)
  describeLitecoin('payments on a Litecoin chain, with everything in one process', () => payOn(createEmbeddedBackend));
describeServers('payments on a Litecoin chain, with Postgres and NATS', () => payOn(createServerBackend));
if (level.isFull)
  describePooledServers('payments on a Litecoin chain, behind PgBouncer', () => payOn(createPooledBackend));

function payOn(createBackend: () => Promise<Backend>): void {
  const outcomes: Outcome[] = [];
  let backend: Backend | undefined;
  let harness: Stage;

  beforeAll(async () => {
    backend = await createBackend();
    harness = { world, customer: createCustomer(world), shop: await openShop({ world, env: backend.env }) };
  });
  afterAll(async () => {
    await harness?.shop.close();
    await backend?.remove();
  });

  test.each(PLAYED)('a payment that is $name follows the lifecycle', async (scenario) => {
    const outcome = await play(harness, scenario);
    outcomes.push(outcome);
    expect(outcome.differences).toEqual([]);
  });

  test('every address belongs to the provisioned wallet, and none is allocated twice', async () => {
    const { wallet } = harness.shop;
    const addresses = [...outcomes.map((outcome) => outcome.transaction), await harness.shop.create()].map(
      (transaction) => transaction.deposit_address,
    );
    expect(addresses).toEqual(addresses.map((_, index) => wallet.addressAt(index)));
  });

  // At the quick level test/chains/utxo/watcher.test.ts and the lifecycle in
  // test/machines/transaction cover this.
  if (level.isFull)
    test('outputs of one transaction that pay the same address all count, one after the other', async () => {
      const { transaction_id: id, deposit_address: address, ...transaction } = await harness.shop.create();
      const due = dueLitoshi(transaction);
      const parts = [due / 2n, due / 4n, due - due / 2n - due / 4n];
      await payInOneTransaction(harness, address, parts);
      await comesTo(harness, id, 'awaiting_confirmation');
      await harness.customer.mine(CONFIRMATIONS);
      const { payments, amount_paid } = await comesTo(harness, id, 'completed');
      expect(payments.map((payment) => String(litoshiOf(payment.amount_crypto))).toSorted()).toEqual(
        parts.map(String).toSorted(),
      );
      expect(new Set(payments.map((payment) => payment.txid)).size).toBe(1);
      expect(litoshiOf(amount_paid)).toBe(due);
      await expectWebhooks(harness.shop, id, ['created', 'partial', 'partial', 'pending', 'completed']);
    });

  // At the quick level test/e2e/node-outages.test.ts covers this.
  if (level.isFull)
    test('a service that is restarted in the middle of payments loses and repeats nothing', async () => {
      const { shop, customer } = harness;
      const [seen, halfPaid, unpaid, unseen] = [
        await shop.create(),
        await shop.create(),
        await shop.create(),
        await shop.create(),
      ];
      const send = ({ deposit_address, amount_crypto }: typeof seen, percent: bigint) =>
        customer.pay(deposit_address, (dueLitoshi({ amount_crypto }) * percent) / FUNDS_PERCENT);
      await send(seen, 100n);
      await send(halfPaid, 50n);
      await comesTo(harness, seen.transaction_id, 'awaiting_confirmation');
      await comesTo(harness, halfPaid.transaction_id, 'partial');
      await send(unseen, 100n);

      await shop.service.stop();
      await customer.mine(CONFIRMATIONS);
      await send(halfPaid, 50n);
      await send(unpaid, 100n);
      await shop.service.start();

      await comesTo(harness, seen.transaction_id, 'completed');
      await comesTo(harness, unseen.transaction_id, 'completed');
      await comesTo(harness, halfPaid.transaction_id, 'awaiting_confirmation');
      await comesTo(harness, unpaid.transaction_id, 'awaiting_confirmation');
      await customer.mine(CONFIRMATIONS);
      await shop.service.stop();
      await shop.service.start();
      for (const { transaction_id: id } of [halfPaid, unpaid]) await comesTo(harness, id, 'completed');

      await expectWebhooks(shop, halfPaid.transaction_id, ['created', 'partial', 'pending', 'completed']);
      for (const { transaction_id: id } of [seen, unpaid, unseen]) {
        await expectWebhooks(shop, id, COMPLETED);
        await paymentsAre(harness, id, ['confirmed']);
      }
    });

  test('no payment has changed since, and no webhook was sent twice', async () => {
    expect(outcomes).toHaveLength(PLAYED.length);
    for (const outcome of outcomes) expect((await playedOut(harness, outcome)).differences).toEqual([]);
  });

  test('a payment with another outcome is reported as different', async () => {
    const exact = outcomes.find(({ scenario }) => scenario === EXACT);
    if (exact === undefined) throw new Error('The exact payment was not made');
    const differing = await playedOut(harness, { ...exact, scenario: OVERPAID });
    expect(differing.differences).toEqual([
      expect.stringMatching(/^webhooks: expected .*payment\.overpaid completed; got /),
      'litoshi paid: expected 46875000; got 31250000',
    ]);
    expect(describeOutcomes([differing])).toContain('DIFFERS');
    expect(describeOutcomes([exact])).not.toContain('DIFFERS');
  });
}

// Helpers

/** Serialises the transaction itself (without inputs): the RPC rejects duplicate addresses. */
async function payInOneTransaction({ world }: Stage, address: string, litoshi: readonly bigint[]): Promise<void> {
  const { rpc } = world.node;
  const { scriptPubKey } = await rpc<{ scriptPubKey: string }>('validateaddress', [address]);
  const script = Buffer.from(scriptPubKey, 'hex');
  const outputs = litoshi.map((value) => {
    const head = Buffer.alloc(9);
    head.writeBigUInt64LE(value);
    head.writeUInt8(script.length, 8);
    return Buffer.concat([head, script]);
  });
  const [version, lockTime] = [Buffer.from([2, 0, 0, 0]), Buffer.alloc(4)];
  const bare = Buffer.concat([version, Buffer.from([0, outputs.length]), ...outputs, lockTime]).toString('hex');
  const isWitness = false;
  const { hex: funded } = await rpc<{ hex: string }>('fundrawtransaction', [bare, {}, isWitness]);
  const { hex: signed } = await rpc<{ hex: string }>('signrawtransactionwithwallet', [funded]);
  await world.reportToNode();
  await rpc('sendrawtransaction', [signed]);
}
