import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import type { WatchedPage } from '../../../support/browser/browser.ts';
import { type ConsolePages, describeConsolePages } from '../support/describe-console.ts';

describeConsolePages('an operator and a payment that needs attention', { isOwn: true }, (console) => {
  let paymentId: string;
  beforeAll(async () => {
    paymentId = await payInPartsAndLate(console);
  }, 120_000);

  test('finds it in three clicks from the first page', async () => {
    const watched = await console.open('operator', '/');
    const { page } = watched;
    await page.getByRole('link', { name: 'Late payments awaiting the merchant’s decision' }).click();
    await page.getByTitle(paymentId).click();
    await page.locator('.page-about', { hasText: /25\.00.\w{3} in .+LTC/ }).waitFor();
    const pageOfCustomer = page.getByRole('link', { name: 'Payment page' });
    expect((await fetch(new URL((await pageOfCustomer.getAttribute('href')) ?? '', console.url))).status).toBe(200);
    await page.locator('.chart-state.is-live[data-node="state:expired.paidLate"]').waitFor();
    await watched.close();
  });

  test('steps through all of its journal, and sees the recorded state and outcome at each step', async () => {
    const watched = await openActor(console, paymentId);
    const { page } = watched;
    const steps = await readJournal(console, paymentId);
    expect(steps.map(({ state }) => state)).toEqual(
      expect.arrayContaining(['open.awaitingPayment', 'open.partiallyPaid', 'expired.paidLate']),
    );
    for (const [index, { state, sequence }] of [...steps.entries()].reverse()) {
      await page.locator('.scrubber-words strong', { hasText: `${index + 1}/${steps.length}` }).waitFor();
      await page.locator(`.chart-state.is-live[data-node="state:${state}"]`).waitFor();
      expect(await page.locator('.chart-state.is-live').count()).toBeGreaterThan(0);
      if (index < steps.length - 1) expect(new URL(page.url()).searchParams.get('at')).toBe(String(sequence));
      if (index > 0) await page.getByRole('button', { name: 'One step back' }).click();
    }
    expect(watched.troubles).toEqual([]);
    await watched.close();
  });

  test('sends the previewed event, and the payment does exactly that', async () => {
    const watched = await openActor(console, paymentId);
    const { page } = watched;
    await page.getByRole('button', { name: 'Send an event' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Event', { exact: true }).selectOption('merchant.marked_paid');
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByText('payment.completed').first().waitFor();
    await dialog.getByLabel('Reason').fill('The shop asked for it on the phone');
    await dialog.getByRole('button', { name: 'Send event' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.locator('.chart-state.is-live[data-node="state:completed"]').waitFor();
    const last = (await readJournal(console, paymentId)).at(-1);
    expect(last).toMatchObject({ state: 'completed', event_type: 'merchant.marked_paid', outcome: 'applied' });
    const { data } = await console.api({ path: `/transactions/${paymentId}` });
    expect(data).toMatchObject({ status: 'completed' });
    await watched.close();
  });
});

// Helpers

/** Pays a part in time and the rest after the window, so that the merchant has to decide. */
async function payInPartsAndLate(console: ConsolePages): Promise<string> {
  const body = { crypto: 'LTC', amount: 25 };
  const made = await console.api({ method: 'POST', path: '/transactions/create', body });
  const id: string = made.data.transaction_id;
  for (const step of [
    { action: 'pay_partial' },
    { action: 'advance_clock', seconds: 3_600 },
    { action: 'pay_late' },
    { action: 'confirm' },
  ]) {
    const { status, text } = await console.api({ method: 'POST', path: `/transactions/${id}/simulate`, body: step });
    expect(status, text).toBe(200);
  }
  return id;
}

async function openActor(console: ConsolePages, id: string): Promise<WatchedPage> {
  const watched = await console.open('operator', `/actors/${encodeURIComponent(id)}`);
  await watched.page.locator('.chart-state.is-live').first().waitFor();
  return watched;
}

interface Entry {
  readonly sequence: number;
  readonly state: string;
  readonly event_type: string;
  readonly outcome: string;
}

async function readJournal({ db }: ConsolePages, actorId: string): Promise<readonly Entry[]> {
  const { rows } = await sql<Entry>`
    select sequence, state, event ->> 'type' as event_type, outcome from journal_entry
    where actor_id = ${actorId} order by sequence`.execute(db);
  return rows;
}
