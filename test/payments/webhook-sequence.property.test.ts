import fc from 'fast-check';
import { expect, test } from 'vitest';
import { transactionEvents } from '../operations/histories.ts';
import { describeDatabases } from '../support/database/test-database.ts';
import { assertAsyncProperty } from '../support/run/fast-check.ts';
import { level } from '../support/run/level.ts';
import { createPaymentRun } from './support/payment-run.ts';

interface Payload {
  readonly event: string;
  readonly sequence: number;
  readonly status: string;
}

describeDatabases('the webhook events of a payment', (database) => {
  test('rule 7: are numbered from 1 without gaps, and stored ones never change', async () => {
    const { db } = database();
    const payments = await createPaymentRun(database());
    const storedOf = async (id: string) => {
      const rows = await db
        .selectFrom('webhook_event')
        .select(['id', 'body'])
        .where('transaction_id', '=', id)
        .execute();
      return new Map(rows.map(({ id: eventId, body }) => [eventId, body]));
    };
    await assertAsyncProperty(
      fc.asyncProperty(transactionEvents, async (events) => {
        const id = await payments.start();
        let known = await storedOf(id);
        for (const event of events) {
          await payments.play(id, [event]);
          const now = await storedOf(id);
          for (const [eventId, body] of known) expect(now.get(eventId)).toBe(body);
          known = now;
        }
        const payloads = [...known.values()].map((body) => JSON.parse(body) as Payload);
        const sequences = payloads.map(({ sequence }) => sequence).sort((a, b) => a - b);
        expect(sequences).toEqual(sequences.map((_, index) => index + 1));
        expect(payloads.find(({ sequence }) => sequence === 1)).toMatchObject({
          event: 'payment.created',
          status: 'pending',
        });
      }),
      { numRuns: database().kind === 'postgres' ? level.runs(25) : 6 },
    );
  });
});
