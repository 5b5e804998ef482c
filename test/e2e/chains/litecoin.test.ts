import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCustomer } from '../../../demo/customer.ts';
import { type Outcome, play, playedOut } from '../../../demo/play.ts';
import { EXACT, OVERPAID, SCENARIOS, type Scenario, type Stage, windowPasses } from '../../../demo/scenarios.ts';
import { openShop } from '../../../demo/shop.ts';
import { describeOutcomes } from '../../../demo/table.ts';
import { createWorld, type World } from '../../../demo/world.ts';
import { type Litecoind, startLitecoind } from '../../support/nodes/litecoind.ts';
import { level } from '../../support/run/level.ts';
import {
  type Backend,
  createEmbeddedBackend,
  createPooledBackend,
  createServerBackend,
  describeLitecoin,
  describePooledServers,
  describeServers,
} from '../backends.ts';

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
