import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCustomer } from '../../../demo/customer.ts';
import { CONFIRMATIONS, dueLitoshi, type Stage } from '../../../demo/scenarios.ts';
import { openShop } from '../../../demo/shop.ts';
import { waitFor } from '../../../demo/wait.ts';
import { createWorld } from '../../../demo/world.ts';
import type { TransactionView } from '../../../src/payments/index.ts';
import { connect } from '../../../src/platform/db/index.ts';
import { type Litecoind, startLitecoind } from '../../support/nodes/litecoind.ts';
import { type Backend, createAnyBackend, describeLitecoin } from '../backends.ts';
import { comesTo, expectStatus, expectWebhooks, paymentsAre } from '../expectations.ts';

let node: Litecoind | undefined;
let backend: Backend | undefined;
let harness: Stage;

describeLitecoin('payments in reorged-out blocks', () => {
  beforeAll(async () => {
    node = await startLitecoind();
    const world = createWorld(node);
    backend = await createAnyBackend();
    harness = { world, customer: createCustomer(world), shop: await openShop({ world, env: backend.env }) };
  });
  afterAll(async () => {
    await harness?.shop.close();
    await backend?.remove();
    await node?.stop();
  });

  test('inside the window, a payment that lost its coins is awaited again and can still be paid', async () => {
    const { shop, customer } = harness;
    const transaction = await shop.create();
    const { transaction_id: id } = transaction;
    const rival = await payAndMine(transaction, 100n);
    await customer.reorganise({ depth: 1, transactions: [rival] });
    await comesTo(harness, id, 'pending');
    await paymentsAre(harness, id, ['replaced']);

    await payShare(transaction, 100n);
    await comesTo(harness, id, 'awaiting_confirmation');
    await customer.mine(CONFIRMATIONS);
    await comesTo(harness, id, 'completed');
    await paymentsAre(harness, id, ['replaced', 'confirmed']);
    await expectWebhooks(shop, id, ['created', 'pending', 'pending', 'completed']);
  });

  test('a completed payment stays completed when a deep reorg removes its coins, and an operator is alerted', async () => {
    const { shop, customer } = harness;
    const transaction = await shop.create();
    const { transaction_id: id } = transaction;
    const rival = await payAndMine(transaction, 100n);
    await customer.mine(CONFIRMATIONS - 1);
    await comesTo(harness, id, 'completed');
    await customer.reorganise({ depth: CONFIRMATIONS, transactions: [rival] });
    await paymentsAre(harness, id, ['replaced']);
    await expectStatus(harness, id, 'completed');
    const alarms = async () => {
      const lines = shop.service.logLines.filter((line) => line.msg === 'operator alert');
      return lines.length > 0 ? lines : null;
    };
    expect(await waitFor(alarms, () => 'no operator was alarmed')).toMatchObject([
      { level: 50, alert: { actorId: id, alert: 'completed_payment_lost' } },
    ]);
    await expectWebhooks(shop, id, ['created', 'pending', 'completed']);
    await shop.service.stop();
    expect(await storedAlerts(shop.service.dataDir)).toEqual([{ actor_id: id, alert: 'completed_payment_lost' }]);
  });
});

// Helpers

/** Pays a share, mines it, and returns a conflicting transaction in hex for the same coins. */
async function payAndMine(transaction: TransactionView, percent: bigint): Promise<string> {
  const rival = await harness.customer.conflictingWith(await payShare(transaction, percent));
  await comesTo(harness, transaction.transaction_id, 'awaiting_confirmation');
  await harness.customer.mine(1);
  const isInBlock = async () => {
    const { payments } = await harness.shop.get(transaction.transaction_id);
    return payments.every(({ status }) => status !== 'detected') || null;
  };
  await waitFor(isInBlock, () => 'the payment was not seen in its block');
  return rival;
}

function payShare({ deposit_address, amount_crypto }: TransactionView, percent: bigint): Promise<string> {
  return harness.customer.pay(deposit_address, (dueLitoshi({ amount_crypto }) * percent) / 100n);
}

/** Read after the service has stopped, because the embedded database allows only one process. */
async function storedAlerts(dataDir: string) {
  const connection = await connect({ url: backend?.env.DATABASE_URL ?? null, dataDir, poolSize: 1 });
  try {
    return await connection.db.selectFrom('operator_alert').select(['actor_id', 'alert']).execute();
  } finally {
    await connection.close();
  }
}
