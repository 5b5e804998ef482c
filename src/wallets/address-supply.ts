import type { Kysely } from 'kysely';
import type { Database } from '../db/index.ts';
import { messageOf } from '../errors.ts';
import type { Log } from '../log.ts';
import { inWork } from '../work-context.ts';
import { deriveAhead, deriveMissing } from './allocation.ts';
import { createDerivationThread } from './derivation-thread.ts';

export interface AddressSupply {
  /** Says that addresses of this key were handed out; refills in the background when it may run low. */
  noteTaken(derivationKeyId: string, count: number): void;
  stop(): Promise<void>;
}

export interface AddressSupplyDeps {
  readonly db: Kysely<Database>;
  readonly log: Log;
}

/**
 * Free addresses kept ready per key in use: few at first, twice as many each time a part of them is
 * gone.
 */
const FEWEST_AHEAD = 20;
const MOST_AHEAD = 400;
/**
 * Of those kept ahead, this part may be taken before more are derived. A burst beyond all of them
 * derives on the spot.
 */
const REFILL_AFTER = 1 / 4;

interface Demand {
  ahead: number;
  takenSinceRefill: number;
}

/** One for the process, which ends with it. */
const thread = createDerivationThread();

/** Keeps derived addresses ahead of the demand of this process. */
export function createAddressSupply({ db, log }: AddressSupplyDeps): AddressSupply {
  const demands = new Map<string, Demand>();
  const repaired = new Set<string>();
  let running: Promise<void> = Promise.resolve();
  let stopped = false;

  async function refill(derivationKeyId: string, ahead: number): Promise<void> {
    if (stopped) return;
    try {
      if (!repaired.has(derivationKeyId)) await deriveMissing(db, derivationKeyId, thread.derive);
      repaired.add(derivationKeyId);
      await deriveAhead(db, derivationKeyId, { ahead, derive: thread.derive });
    } catch (error) {
      // Creating goes on without: addresses are then derived in the transaction that needs them.
      demands.delete(derivationKeyId);
      // Indexes that were reserved are derived at the next refill.
      repaired.delete(derivationKeyId);
      // An error while the service stops is expected.
      if (stopped) return;
      log.warn({ derivationKeyId, reason: messageOf(error) }, 'addresses could not be derived ahead');
    }
  }

  return {
    noteTaken(derivationKeyId, count) {
      const known = demands.get(derivationKeyId);
      const taken = (known?.takenSinceRefill ?? 0) + count;
      if (known !== undefined && taken < known.ahead * REFILL_AFTER) {
        known.takenSinceRefill = taken;
        return;
      }
      const ahead = known === undefined ? FEWEST_AHEAD : Math.min(2 * known.ahead, MOST_AHEAD);
      demands.set(derivationKeyId, { ahead, takenSinceRefill: 0 });
      // For all who will ask, and not for the one who happened to take the last.
      running = inWork(null, () => running.then(() => refill(derivationKeyId, ahead)));
    },
    async stop() {
      stopped = true;
      await running;
    },
  };
}
