import type { Kysely } from 'kysely';
import type { Database } from '../../db/index.ts';
import { messageOf } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { findStranded, type OwedDelivery } from '../owed-deliveries.ts';

export interface StrandedSweeper {
  stop(): Promise<void>;
}

const SWEEP_EVERY_MS = 2_000;
const SWEEP_ROWS = 500;

/**
 * Passes on the first attempts that no sender makes: their message was lost, or their process died.
 * Any number of processes may do so.
 */
export function startStrandedSweeper({
  db,
  log,
  passOn,
}: {
  readonly db: Kysely<Database>;
  readonly log: Log;
  /** Must leave alone what this process still has in memory. */
  readonly passOn: (delivery: OwedDelivery) => Promise<void>;
}): StrandedSweeper {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let sweeping: Promise<void> = Promise.resolve();

  async function sweep(): Promise<void> {
    try {
      for (let after: OwedDelivery | undefined, isFull = true; isFull && !stopped; ) {
        const stranded = await findStranded(db, { limit: SWEEP_ROWS, after });
        await Promise.all(stranded.map((delivery) => passOn(delivery)));
        after = stranded.at(-1);
        isFull = stranded.length === SWEEP_ROWS;
      }
    } catch (error) {
      log.warn({ reason: messageOf(error) }, 'first webhook attempts that nothing makes could not be passed on');
    }
  }

  function schedule(): void {
    if (stopped) return;
    timer = setTimeout(() => {
      sweeping = sweep().finally(schedule);
    }, SWEEP_EVERY_MS);
  }

  schedule();
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await sweeping;
    },
  };
}
