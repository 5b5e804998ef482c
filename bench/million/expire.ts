import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../src/platform/db/index.ts';
import { print } from '../support/print.ts';
import type { RoleProcess } from '../support/processes/role.ts';
import { FILLED_NETWORK } from './open-payments.ts';
import { type CurvePoint, check, megabytes, plot, resident, seconds, show } from './report.ts';
import { withoutTimeout } from './without-timeout.ts';

const CURVE_EVERY_MS = 2_000;
/** No payment expired for this long: the rest will not expire either. */
const STANDSTILL_MS = 90_000;
const MAX_RESIDENT_BYTES = 400 * 1_048_576;

/**
 * Ends `count` windows within one second, and prints how many had expired after how long, whether
 * each expired once, and the peak memory of the processes.
 */
export async function expireMany(
  db: Kysely<Database>,
  processes: readonly RoleProcess[],
  count: number,
): Promise<void> {
  const { curve, doneMs } = await expire(db, count);
  print(`\n${show(count)} windows that end within one second, one worker:`);
  print('seconds,expired');
  for (const { ms, expired } of curve) print(`${(ms / 1_000).toFixed(1)},${expired}`);
  print(plot(curve));
  const last = curve.at(-1)?.expired ?? 0;
  check(
    'all of them expired',
    last === count,
    `${show(last)} in ${seconds(doneMs)}, ${show((1_000 * last) / doneMs)} a second`,
  );
  const { rows } = await sql<{ fired: number; actors: number }>`
    select count(*) as fired, count(distinct actor_id) as actors from journal_entry
    where event_type = 'timer.window_closed' and outcome = 'applied'`.execute(db);
  check('each once', rows[0]?.fired === count && rows[0].actors === count, `${rows[0]?.fired} firings in journals`);
  let together = 0;
  for (const each of processes) {
    const { peakResidentBytes } = await each.read();
    print(
      `  ${each.roles}: at most ${megabytes(peakResidentBytes)} resident, ${await resident(each)} after a collection`,
    );
    if (each.roles !== 'watcher') together += peakResidentBytes;
  }
  check('api and worker together', together < MAX_RESIDENT_BYTES, `at most ${megabytes(together)}, limit 400 MB`);
}

/** Ends the windows of `count` copies within the next second, and waits until all have expired. */
export async function expire(
  db: Kysely<Database>,
  count: number,
): Promise<{ readonly curve: readonly CurvePoint[]; readonly doneMs: number }> {
  const before = await countExpired(db);
  await endWindows(db, count);
  const startedAt = performance.now();
  const curve: CurvePoint[] = [{ ms: 0, expired: 0 }];
  for (let movedAt = startedAt; ; await sleep(CURVE_EVERY_MS)) {
    const [expired, ms] = [(await countExpired(db)) - before, performance.now() - startedAt];
    if (expired > (curve.at(-1)?.expired ?? 0)) movedAt = performance.now();
    curve.push({ ms, expired });
    if (expired >= count || performance.now() - movedAt > STANDSTILL_MS) return { curve, doneMs: ms };
  }
}

// Helpers

async function endWindows(db: Kysely<Database>, count: number): Promise<void> {
  // Stands in for the watcher of a node, since there may be none.
  await sql`insert into watermark (gate, reached_at) values (${FILLED_NETWORK}, now())
    on conflict (gate) do update set reached_at = greatest(watermark.reached_at, excluded.reached_at)`.execute(db);
  // Moves the actors' clocks forward, as a test key may, so that their charts stay consistent.
  const setForward = sql`
    with chosen as (
      select actor_id, due_at - (now() + (row_number() over () % 1000) * interval '1 millisecond') as ahead from timer
      where gate = ${FILLED_NETWORK} and name = 'window_closed' order by actor_id limit ${count}
    ), moved as (
      update actor set clock_offset_ms = round(extract(epoch from ahead) * 1000) from chosen where id = actor_id
    )
    update timer set fires_at = fires_at - make_interval(secs => round(extract(epoch from ahead) * 1000) / 1000.0)
    from chosen where timer.actor_id = chosen.actor_id and timer.name = 'window_closed'`;
  await withoutTimeout(db, (connection) => setForward.execute(connection));
  await sql`update watermark set reached_at = now() + interval '2 days' where gate = ${FILLED_NETWORK}`.execute(db);
}

/** From the counts that are kept with the actors. */
async function countExpired(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select coalesce(sum(actors), 0)::int8 as count from actor_count
    where kind = 'transaction' and state like 'expired%'`.execute(db);
  return rows[0]?.count ?? 0;
}
