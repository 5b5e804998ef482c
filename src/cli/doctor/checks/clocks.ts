import { sql } from 'kysely';
import { type Check, type Examined, ok, problem, warning } from '../check.ts';
import { onServer } from './database.ts';

/** Payment windows, retries and webhook signatures use the clock of this machine. */
export const CLOCK_CHECKS: readonly Check[] = [{ name: 'clock', run: onServer(againstDatabase) }];

// Helpers

const SLIGHT_MS = 1_000;
/** Webhook receivers reject timestamps that are minutes off. */
const GRAVE_MS = 60_000;

async function againstDatabase(db: Parameters<Parameters<typeof onServer>[0]>[0], { clock }: Examined) {
  const before = clock.now();
  const { rows } = await sql<{ now: number }>`
    select (extract(epoch from clock_timestamp()) * 1000)::int8 as now`.execute(db);
  const after = clock.now();
  const there = Number(rows[0]?.now ?? after);
  // The server read its clock at some point between request and response.
  const differenceMs = there < before ? before - there : Math.max(0, there - after);
  const text = `this machine and the database differ by ${(differenceMs / 1_000).toFixed(1)} s`;
  const remedy = 'Synchronize both clocks with NTP (chrony or systemd-timesyncd).';
  if (differenceMs > GRAVE_MS) return problem(text, remedy);
  return differenceMs > SLIGHT_MS ? warning(text, remedy) : ok(text);
}
