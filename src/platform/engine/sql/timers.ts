import { type Kysely, sql, type Transaction } from 'kysely';
import { DAY_MS } from '../../../../machines/index.ts';
import { partitionOf } from '../../bus/index.ts';
import { type Database, settleAll } from '../../db/index.ts';
import { TerminalError } from '../../errors.ts';
import { pairKey, type TimerChange, type TimerParking, type TimerSetting } from '../consequences.ts';

/**
 * Applies the final change of each timer in a batch, and deletes all timers of actors that have
 * finished in it: a finished actor has none.
 */
export async function changeTimers(
  trx: Transaction<Database>,
  changes: readonly TimerChange[],
  { clockOffsetOf, finished }: { clockOffsetOf: (actorId: string) => number; finished: ReadonlySet<string> },
): Promise<void> {
  const gone: Gone[] = [...finished].map((actorId) => ({ actorId, name: null }));
  const parked: TimerParking[] = [];
  const set: TimerSetting[] = [];
  for (const change of changes) {
    if (finished.has(change.actorId)) continue;
    if (change.kind === 'remove') gone.push(change);
    else if (change.kind === 'park') parked.push(change);
    else set.push(change);
  }
  await settleAll([
    removeTimers(trx, gone),
    leaseTimersUntil(trx, parked, 'infinity'),
    setTimers(trx, set, clockOffsetOf),
  ]);
}

/**
 * Returns the current setting (`set_by_sequence`) of each of these timers that exists, by
 * `pairKey`. Their actors must be locked.
 */
export async function findTimers(
  trx: Transaction<Database>,
  asked: readonly { readonly actorId: string; readonly name: string }[],
): Promise<Map<string, number>> {
  if (asked.length === 0) return new Map();
  const { rows } = await sql<{ actor_id: string; name: string; set_by_sequence: number }>`
    select timer.actor_id, timer.name, timer.set_by_sequence
    from unnest(${asked.map((each) => each.actorId)}::text[], ${asked.map((each) => each.name)}::text[])
      as asked (actor_id, name)
    join timer on timer.actor_id = asked.actor_id and timer.name = asked.name`.execute(trx);
  return new Map(rows.map((row) => [pairKey(row.actor_id, row.name), row.set_by_sequence]));
}

/** Maximum clock offset of an actor: ten years with the most leap days they can contain. */
export const MAX_CLOCK_OFFSET_MS = 3_653 * DAY_MS;

/**
 * Moves an actor's clock forward, so that all its timers fire that much sooner. Throws
 * `TerminalError` `INVALID_REQUEST` beyond `MAX_CLOCK_OFFSET_MS`.
 */
export async function shiftClock(trx: Transaction<Database>, actorId: string, byMs: number): Promise<void> {
  const { rows } = await sql<{ clock_offset_ms: number }>`
    select clock_offset_ms from actor where id = ${actorId} for update`.execute(trx);
  if ((rows[0]?.clock_offset_ms ?? 0) + byMs > MAX_CLOCK_OFFSET_MS) {
    throw new TerminalError('INVALID_REQUEST', 'A clock can be moved forward by 10 years in all');
  }
  await sql`update actor set clock_offset_ms = clock_offset_ms + ${byMs} where id = ${actorId}`.execute(trx);
  await sql`
    update timer set fires_at = fires_at - make_interval(secs => ${byMs / 1000})
    where actor_id = ${actorId} and fires_at is not null`.execute(trx);
}

/**
 * Sets the end of leases: minus infinity releases timers, infinity parks them. Only the given
 * settings: a timer that was reset in the meantime is unchanged.
 */
export async function leaseTimersUntil(
  db: Kysely<Database>,
  timers: readonly { readonly actorId: string; readonly name: string; readonly setBySequence: number }[],
  until: 'infinity' | '-infinity',
): Promise<void> {
  if (timers.length === 0) return;
  await sql`
    update timer set leased_until = ${until}::timestamptz
    from unnest(
      ${timers.map((timer) => timer.actorId)}::text[], ${timers.map((timer) => timer.name)}::text[],
      ${timers.map((timer) => timer.setBySequence)}::int8[]
    ) as mine (actor_id, name, set_by_sequence)
    where timer.actor_id = mine.actor_id and timer.name = mine.name
      and timer.set_by_sequence = mine.set_by_sequence`.execute(db);
}

// Helpers

/** One timer, or with the name null all of its actor. */
interface Gone {
  readonly actorId: string;
  readonly name: string | null;
}

async function removeTimers(trx: Transaction<Database>, removals: readonly Gone[]): Promise<void> {
  if (removals.length === 0) return;
  await sql`
    delete from timer using unnest(
      ${removals.map((removal) => removal.actorId)}::text[], ${removals.map((removal) => removal.name)}::text[]
    ) as gone (actor_id, name)
    where timer.actor_id = gone.actor_id and timer.name = coalesce(gone.name, timer.name)`.execute(trx);
}

async function setTimers(
  trx: Transaction<Database>,
  settings: readonly TimerSetting[],
  clockOffsetOf: (actorId: string) => number,
): Promise<void> {
  if (settings.length === 0) return;
  const firesAt = settings.map((each) => (each.dueAt === null ? null : each.dueAt - clockOffsetOf(each.actorId)));
  await sql`
    insert into timer (actor_id, name, set_by_sequence, due_at, fires_at, gate, height, queue, partition)
    select actor_id, name, set_by_sequence, to_timestamp(due_at / 1000.0), to_timestamp(fires_at / 1000.0),
      gate, height, queue, partition
    from unnest(
      ${settings.map((each) => each.actorId)}::text[], ${settings.map((each) => each.name)}::text[],
      ${settings.map((each) => each.setBySequence)}::int8[], ${settings.map((each) => each.dueAt)}::int8[],
      ${firesAt}::int8[], ${settings.map((each) => each.gate)}::text[], ${settings.map((each) => each.height)}::int8[],
      ${settings.map((each) => each.queue)}::text[], ${settings.map((each) => partitionOf(each.actorId))}::int4[]
    ) as fresh (actor_id, name, set_by_sequence, due_at, fires_at, gate, height, queue, partition)
    on conflict (actor_id, name) do update set set_by_sequence = excluded.set_by_sequence, due_at = excluded.due_at,
      fires_at = excluded.fires_at, gate = excluded.gate, height = excluded.height, leased_until = '-infinity'`.execute(
    trx,
  );
}
