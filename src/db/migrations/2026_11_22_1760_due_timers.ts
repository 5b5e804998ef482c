import { type Kysely, sql } from 'kysely';

/**
 * Finds unleased due timers without scanning leased or parked ones, however many there are; and
 * those of one kind or network without scanning others. Leasing a timer moves it between indexes,
 * so that this one update is not a HOT update: only timers that fire pay for it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index timer_fires_at, timer_gate_due_at, timer_gate_height`.execute(db);
  await sql`
    create index timer_free_by_clock on timer (queue, fires_at)
    where gate is null and leased_until = '-infinity'`.execute(db);
  await sql`
    create index timer_free_by_watermark on timer (gate, due_at)
    where gate is not null and height is null and leased_until = '-infinity'`.execute(db);
  await sql`
    create index timer_free_by_height on timer (gate, height)
    where height is not null and leased_until = '-infinity'`.execute(db);
  await sql`create index timer_leased on timer (leased_until) where leased_until > '-infinity'`.execute(db);
}
