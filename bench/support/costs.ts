import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { median } from './measure.ts';
import { cpuMsOf, createFamilyCpu } from './process-cpu.ts';

/** What one round measured; costs are per item, such as an event or a create. */
export interface RoundFigures {
  readonly perSecond: number;
  /** Processor time of the measured Node processes. */
  readonly nodeMicros: number;
  /** Processor time of the whole Postgres server: nothing else should use it. */
  readonly postgresMicros: number;
  /** Write-ahead log of the whole server. */
  readonly walBytes: number;
  /** Rows inserted, updated and deleted in this database; only when asked for. */
  readonly rows?: number;
}

export interface MeterOptions {
  /** Takes 20 s more: idle connections of Postgres report their counts that late. */
  readonly countRows?: boolean | undefined;
}

/** Runs `work`, which returns how many items it did, and returns what each of them cost. */
export type Meter = (work: () => Promise<number>, options?: MeterOptions) => Promise<RoundFigures>;

/** PGSTAT_IDLE_INTERVAL of Postgres, and a little more. */
const STATISTICS_LAG_MS = 10_500;

/** Measures these Node processes and the server of this database, which runs on this machine. */
export async function createMeter<DB>(db: Kysely<DB>, pids: readonly number[] = [process.pid]): Promise<Meter> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
  const postgresCpu = createFamilyCpu(rows[0]?.pid ?? 0);
  const read = async () => ({ wal: await walPosition(db), node: cpuMsOf(pids), postgres: postgresCpu() });
  const run = async (work: () => Promise<number>) => {
    const [before, start] = [await read(), performance.now()];
    const items = await work();
    const seconds = (performance.now() - start) / 1_000;
    const after = await read();
    const figures = {
      perSecond: items / seconds,
      nodeMicros: ((after.node - before.node) * 1_000) / items,
      postgresMicros: ((after.postgres - before.postgres) * 1_000) / items,
      walBytes: (after.wal - before.wal) / items,
    };
    return { items, figures };
  };
  return async (work, { countRows = false } = {}) => {
    if (!countRows) return (await run(work)).figures;
    const before = await settledRows(db);
    const { items, figures } = await run(work);
    return { ...figures, rows: ((await settledRows(db)) - before) / items };
  };
}

/** The medians of these rounds, figure by figure. */
export function medians(rounds: readonly RoundFigures[]): RoundFigures {
  const of = (name: keyof RoundFigures) => median(rounds.flatMap((round) => round[name] ?? []));
  const figures = { perSecond: of('perSecond'), nodeMicros: of('nodeMicros'), postgresMicros: of('postgresMicros') };
  return { ...figures, walBytes: of('walBytes'), rows: of('rows') };
}

const WIDTHS = [30, 12, 12, 12, 8, 12] as const;

/** A heading, and a line for each name; figures that were not measured are `–`. */
export function costTable(item: string, lines: readonly (readonly [string, RoundFigures])[]): string[] {
  const heading = [`per ${item}`, 'a second', 'node µs', 'Postgres µs', 'rows', 'WAL bytes'];
  const show = (value = Number.NaN, digits = 0) =>
    Number.isFinite(value) && value > 0 ? value.toLocaleString('en-US', { maximumFractionDigits: digits }) : '–';
  const cells = lines.map(([name, { perSecond, nodeMicros, postgresMicros, rows, walBytes }]) => [
    name,
    show(perSecond),
    show(nodeMicros),
    show(postgresMicros),
    show(rows, 1),
    show(walBytes),
  ]);
  return [heading, ...cells].map((row) =>
    row.map((cell, index) => (index === 0 ? cell.padEnd(WIDTHS[0]) : cell.padStart(WIDTHS[index] ?? 0))).join(''),
  );
}

// Helpers

async function walPosition<DB>(db: Kysely<DB>): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::float8 as bytes`.execute(db);
  return rows[0]?.bytes ?? Number.NaN;
}

async function settledRows<DB>(db: Kysely<DB>): Promise<number> {
  await sleep(STATISTICS_LAG_MS);
  const { rows } = await sql<{ count: number }>`
    select (tup_inserted + tup_updated + tup_deleted)::float8 as count
    from pg_stat_database where datname = current_database()`.execute(db);
  return rows[0]?.count ?? Number.NaN;
}
