import { type Kysely, sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import type { Database } from '../../../../src/platform/db/index.ts';
import { insertDeadLetters } from '../../../../src/platform/engine/index.ts';
import { POLLING } from '../../../support/polling.ts';
import { level } from '../../../support/run/level.ts';
import { type ConsolePages, describeConsolePages } from '../support/describe-console.ts';

/** Payments that are as they should be. */
const POPULATION = level.pick({ quick: 2_000, full: 100_000 });

describeConsolePages('an operator and one stuck payment among many', { isOwn: true }, (console) => {
  const stuck = [
    ['Payments too long in their state', stayTooLong],
    ['Payments with a late timer', delayTimer],
    ['Dead letters', setAside],
  ] as const;

  test('reaches it in three clicks from the first page, whatever holds it', async () => {
    await fill(console.db);
    const ids: string[] = [];
    for (const [, hold] of stuck) {
      const id = await pay(console);
      await hold(console.db, id);
      ids.push(id);
    }
    const watched = await console.open('operator', '/');
    const { page } = watched;
    await page.getByRole('heading', { name: 'Health' }).waitFor();
    for (const [index, [title]] of stuck.entries()) {
      const id = ids[index] ?? '';
      await page.locator('.line', { hasText: title }).getByText('1', { exact: true }).waitFor();
      await page.getByRole('link', { name: title, exact: true }).click();
      await vi.waitFor(async () => expect(await page.locator('[data-row]').count()).toBe(1), POLLING);
      await page.locator('[data-row="0"]').getByTitle(id).click();
      await page.getByRole('heading', { level: 1, name: id }).waitFor();
      await page.goto(`${console.url}/console/`);
    }
    expect(watched.troubles).toEqual([]);
    await watched.close();
  });

  test('sees the late timer first among the next ones', async () => {
    const watched = await console.open('operator', '/timers');
    const { page } = watched;
    await page.locator('[data-row="0"]').getByText('late', { exact: true }).waitFor();
    expect(await page.getByText('late', { exact: true }).count()).toBe(1);
    await watched.close();
  });
});

// Helpers

async function fill(db: Kysely<Database>): Promise<void> {
  await sql`
    insert into actor (id, kind, version, state, status, snapshot, sequence, created_at, updated_at, state_entered_at)
    select 'well-' || index, 'transaction', '1',
      (array['open.awaitingPayment', 'confirming', 'expired.watching', 'completed'])[1 + index % 4], 'active',
      '{"context": {}}', 1, date_trunc('milliseconds', now()), now(), now()
    from generate_series(1, ${POPULATION}::int4) as index`.execute(db);
  await sql`
    insert into timer (actor_id, name, set_by_sequence, due_at, fires_at, queue, partition)
    select id, 'far', 1, now() + interval '1 day', now() + interval '1 day', 'well', 0 from actor
    where id like 'well-%'`.execute(db);
  await sql`analyze actor, timer`.execute(db);
}

async function pay(console: ConsolePages): Promise<string> {
  const made = await console.api({ method: 'POST', path: '/transactions/create', body: { crypto: 'LTC', amount: 25 } });
  expect(made.status).toBe(201);
  return made.data.transaction_id;
}

async function stayTooLong(db: Kysely<Database>, id: string): Promise<void> {
  await sql`update actor set state_entered_at = now() - interval '10 days' where id = ${id}`.execute(db);
}

/** A parked timer, which the service does not fire. */
async function delayTimer(db: Kysely<Database>, id: string): Promise<void> {
  await sql`
    update timer set due_at = now() - interval '1 hour', fires_at = now() - interval '1 hour', leased_until = 'infinity'
    where actor_id = ${id}`.execute(db);
}

async function setAside(db: Kysely<Database>, id: string): Promise<void> {
  const data = { actorId: id, eventId: 'merchant:1', event: { type: 'merchant.paused' } };
  await insertDeadLetters(db, [{ queue: 'engine', messageId: id, actorId: id, data, reason: 'the chart broke on it' }]);
}
