import { type Kysely, sql } from 'kysely';
import { MINUTE_MS } from '../../../machines/index.ts';
import type { FetchFees } from '../../chains/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { messageOf } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';
import { createPollLoop, type PollLoop } from '../../platform/poll-loop.ts';

export interface FeeRecorderDeps {
  readonly db: Kysely<Database>;
  readonly network: string;
  readonly fetchFees: FetchFees;
  readonly log: Log;
}

/** Customers are shown about what a transfer costs; nothing is calculated from it. */
const EVERY_MS = MINUTE_MS;

/**
 * Keeps what a usual transfer costs on a network in its row of `chain_cursor`, where the pages of
 * customers read it. If a node does not respond, the last estimate stays for a while.
 */
export function createFeeRecorder(deps: FeeRecorderDeps): PollLoop {
  const { network, log } = deps;
  return createPollLoop({
    work: () => recordFees(deps),
    everyMs: EVERY_MS,
    onFailure: (error) => log.debug({ network, reason: messageOf(error) }, 'the network fee could not be read'),
  });
}

/** Asks once and writes the response; exported for tests. */
export async function recordFees({ db, network, fetchFees }: Omit<FeeRecorderDeps, 'log'>): Promise<void> {
  const fees = await fetchFees();
  const [coin, token] = [fees?.coin ?? null, fees?.token ?? null].map((fee) => fee?.toString() ?? null);
  await sql`
    update chain_cursor set coin_fee = ${coin}::numeric, token_fee = ${token}::numeric, fees_at = clock_timestamp()
    where network = ${network}`.execute(db);
}
