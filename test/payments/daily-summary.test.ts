import { beforeEach, expect, test, vi } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS, type TransactionTerms } from '../../machines/index.ts';
import { createSummaryWorker } from '../../src/payments/index.ts';
import { sendSummaries } from '../../src/payments/summary/send-summaries.ts';
import type { ActorEvent } from '../../src/platform/engine/index.ts';
import { newId } from '../../src/platform/ids.ts';
import { CLOSES_AT, DUE, OPENED_AT, TERMS } from '../machines/transaction/terms.ts';
import { describeDatabases } from '../support/database/test-database.ts';
import { POLLING } from '../support/polling.ts';
import { silentLog } from '../support/silent-log.ts';
import { addEndpoint } from '../webhooks/harness.ts';
import { createPaymentRun, type PaymentRun } from './support/payment-run.ts';

const SUBJECT = 'Your payments of 1 March 2026';
/** When the summary of the day that the payments are made on may be sent. */
const NEXT_MORNING = Date.UTC(2026, 2, 2, 0, 10);

describeDatabases('the daily summary', (database) => {
  const db = () => database().db;
  const { merchantId } = TERMS;
  let payments: PaymentRun;

  beforeEach(async () => {
    for (const table of ['mail', 'webhook_endpoint', 'merchant_user', 'attention_item'] as const)
      await db().deleteFrom(table).execute();
    await db().deleteFrom('webhook_event').execute();
    payments = await createPaymentRun(database());
    // They have had the summary of the day before.
    const summarized_until = new Date(Date.UTC(2026, 2, 1));
    await db().updateTable('merchant').set({ settings: '{}', summarized_until }).execute();
    await set({ mailDailySummary: true });
    for (const name of ['ann', 'bob']) {
      const user = { id: newId('usr'), merchant_id: merchantId, email: `${name}@shop.example`, password_hash: '-' };
      await db().insertInto('merchant_user').values(user).execute();
    }
  });

  const deps = () => ({ db: db(), clock: payments.clock, log: silentLog, publicUrl: 'https://pay.example' });
  const set = (settings: object) =>
    db()
      .updateTable('merchant')
      .set({ settings: JSON.stringify(settings) })
      .where('id', '=', merchantId)
      .execute();
  const summaries = () =>
    db()
      .selectFrom('mail')
      .select(['recipient', 'subject', 'text'])
      .where('subject', 'like', 'Your payments of %')
      .orderBy('created_at')
      .orderBy('recipient')
      .execute();
  async function pay(terms: Partial<TransactionTerms> = {}): Promise<string> {
    const id = await payments.start({ mode: 'live', ...terms });
    await payments.play(id, [SEEN, { ...SEEN, ...CONFIRMED }]);
    return id;
  }
  async function payLate(terms: Partial<TransactionTerms> = {}): Promise<void> {
    const id = await payments.start({ mode: 'live', ...terms });
    const late = { ...SEEN, firstSeenAt: CLOSES_AT + 1 };
    await payments.play(id, [{ type: 'timer.window_closed', dueAt: CLOSES_AT }, late]);
  }
  async function failSince(at: number, url: string): Promise<void> {
    const { id } = await addEndpoint({ db: db() }, { merchantId, url });
    await db()
      .updateTable('webhook_endpoint')
      .set({ failing_since: new Date(at) })
      .where('id', '=', id)
      .execute();
  }
  const moveTo = (at: number) => payments.clock.advance(at - payments.clock.now());

  test('is mailed to each user once by several processes, with what was completed and what needs attention', async () => {
    await pay();
    await pay();
    await pay({ quote: { ...TERMS.quote, currencyFiat: 'USD', amountFiat: '1234.5' } });
    await payLate();
    await payLate();
    await failSince(NEXT_MORNING - 2 * HOUR_MS, 'http://127.0.0.1:8081/secret');
    await failSince(NEXT_MORNING - MINUTE_MS, 'http://127.0.0.1:8082/secret');
    moveTo(NEXT_MORNING - 1);
    await sendSummaries(deps());
    expect(await summaries()).toEqual([]);
    moveTo(NEXT_MORNING);
    const workers = [1, 2, 3].map(() => createSummaryWorker({ ...deps(), checkEveryMs: 5 }));
    for (const worker of workers) worker.start();
    await vi.waitFor(async () => expect(await summaries()).not.toEqual([]), POLLING);
    await Promise.all(workers.map((worker) => worker.stop()));
    // As after a restart, hours later and with a new user.
    const user = { id: newId('usr'), merchant_id: merchantId, email: 'cid@shop.example', password_hash: '-' };
    await db().insertInto('merchant_user').values(user).execute();
    moveTo(NEXT_MORNING + 5 * HOUR_MS);
    await Promise.all([sendSummaries(deps()), sendSummaries(deps())]);
    const [first, second, ...others] = await summaries();
    expect(others).toEqual([]);
    expect([first?.recipient, second?.recipient]).toEqual(['ann@shop.example', 'bob@shop.example']);
    expect(first?.subject).toBe(SUBJECT);
    expect(first?.text).toContain(
      'Completed payments: 3\nVolume in EUR: 0.18 EUR\nVolume in USD: 1234.50 USD\n' +
        'Need attention: 2, of which paid late: 2\nFailing webhook endpoints: 127.0.0.1:8081\n',
    );
    expect(first?.text).toContain('https://pay.example/console/needs-attention');
  });

  test('leaves out payments whose coins are gone', async () => {
    await pay();
    await payments.play(await pay(), [{ ...SEEN, type: 'chain.output_dropped', order: 3, reason: 'reorged' }]);
    moveTo(NEXT_MORNING);
    await sendSummaries(deps());
    const [summary] = await summaries();
    expect(summary?.text).toContain('Completed payments: 1\nVolume in EUR: 0.09 EUR\nNeed attention: 1,');
  });

  test('comes for each day that has something to say', async () => {
    await payLate();
    for (const days of [0, 1, 1, 2, 7]) {
      moveTo(NEXT_MORNING + days * DAY_MS);
      await sendSummaries(deps());
    }
    const toAnn = (await summaries()).filter(({ recipient }) => recipient.startsWith('ann'));
    expect(toAnn.map(({ subject }) => subject)).toEqual(
      [1, 2, 3, 8].map((day) => `Your payments of ${day} March 2026`),
    );
    expect(toAnn[1]?.text).toContain('Completed payments: 0\nNeed attention: 1, of which paid late: 1');
  });

  test.each([
    ['is not mailed about a day with nothing to say', async () => {}],
    [
      'is not mailed about test payments',
      async () => {
        await pay({ mode: 'test' });
        await payLate({ mode: 'test' });
      },
    ],
    [
      'is not mailed unless it is switched on',
      async () => {
        await set({});
        await pay();
      },
    ],
    [
      'is not mailed when it is switched off',
      async () => {
        await set({ mailDailySummary: false });
        await pay();
      },
    ],
  ])('%s', async (_, arrange) => {
    await arrange();
    moveTo(NEXT_MORNING);
    await sendSummaries(deps());
    expect(await summaries()).toEqual([]);
  });
});

// Helpers

const SEEN: ActorEvent = {
  type: 'chain.output_seen',
  outputId: 'a:0',
  txid: 'a',
  amountBaseUnits: DUE.toString(),
  order: 1,
  firstSeenAt: OPENED_AT + 1,
};

const CONFIRMED = { type: 'chain.output_confirmed', order: 2, height: 101, blockHash: 'main-101' };
