import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { readJournalPage, readStepDetail } from '../../src/operations/index.ts';
import { createTransactionKind } from '../../src/payments/index.ts';
import { createKindRegistry } from '../../src/platform/engine/index.ts';
import { DUE } from '../machines/transaction/terms.ts';
import { createPaymentRun } from '../payments/support/payment-run.ts';
import { describeDatabases } from '../support/database/test-database.ts';

describeDatabases('the webhooks of a step', (database) => {
  test('each delivery of a payment is shown at the step that caused it, and at no other', async () => {
    const { db } = database();
    const payments = await createPaymentRun(database());
    const deps = { db, kinds: createKindRegistry([createTransactionKind({ publicUrl: 'https://pay.example' })]) };
    const id = await payments.start();
    const output = { outputId: 'a:0', txid: 'a', firstSeenAt: payments.clock.now() };
    const half = (DUE / 2n).toString();
    await payments.play(id, [
      { type: 'chain.output_seen', order: 1, ...output, amountBaseUnits: half },
      { type: 'chain.output_seen', order: 2, ...output, outputId: 'b:0', txid: 'b', amountBaseUnits: DUE.toString() },
      {
        type: 'chain.output_confirmed',
        order: 3,
        ...output,
        outputId: 'b:0',
        txid: 'b',
        amountBaseUnits: DUE.toString(),
        height: 101,
        blockHash: 'b',
      },
    ]);
    await sql`
      insert into webhook_delivery (id, webhook_event_id, endpoint_id, event, state, attempt, created_at)
      select 'dlv_' || id, id, 'whk_one', event, 'delivered', 1, created_at from webhook_event
      where transaction_id = ${id}`.execute(db);

    const { steps } = await readJournalPage(db, id, { after: 0, limit: 100 });
    const shown: string[] = [];
    for (const { sequence } of steps) {
      const { effects, deliveries } = await readStepDetail(deps, id, sequence);
      const notified = effects.filter(({ type }) => type === 'notifyMerchant').map(({ params }) => params);
      expect(deliveries.map(({ event }) => event).toSorted()).toEqual(
        notified.map((params) => (params as { event: string }).event).toSorted(),
      );
      shown.push(...deliveries.map((delivery) => delivery.id));
    }
    const { rows } = await sql<{ id: string }>`
      select delivery.id from webhook_delivery as delivery join webhook_event as event
        on event.id = delivery.webhook_event_id where transaction_id = ${id}`.execute(db);
    expect(rows.length).toBeGreaterThan(2);
    expect(shown.toSorted()).toEqual(rows.map((row) => row.id).toSorted());
  });
});
