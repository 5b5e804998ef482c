import type { Kysely } from 'kysely';
import type { Database } from '../../platform/db/index.ts';
import { messageOf } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';
import { runInContext } from '../../platform/request-context.ts';
import { createDerivationThread } from './derivation-thread.ts';
import { deriveAhead, deriveMissing } from './derive-ahead.ts';

export interface AddressSupply {
  /** Records that addresses of this key were assigned; refills in the background when needed. */
  recordTaken(derivationKeyId: string, count: number): void;
  stop(): Promise<void>;
}

export interface AddressSupplyDeps {
  readonly db: Kysely<Database>;
  readonly log: Log;
}

/** Free addresses kept ready per active key: few at first, doubled at each refill. */
const MIN_AHEAD = 20;
const MAX_AHEAD = 400;
/**
 * Share of the ready addresses that may be taken before a refill. If a burst takes all of them,
 * further addresses are derived in the request.
 */
const REFILL_AFTER = 1 / 4;

interface Demand {
  ahead: number;
  takenSinceRefill: number;
}

/** One per process; it lives as long as the process. */
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
      // Payments can still be created: their transaction then derives the addresses.
      demands.delete(derivationKeyId);
      // The next refill derives the reserved indices.
      repaired.delete(derivationKeyId);
      // Errors during shutdown are expected.
      if (stopped) return;
      log.warn({ derivationKeyId, reason: messageOf(error) }, 'addresses could not be derived in advance');
    }
  }

  return {
    recordTaken(derivationKeyId, count) {
      const known = demands.get(derivationKeyId);
      const taken = (known?.takenSinceRefill ?? 0) + count;
      if (known !== undefined && taken < known.ahead * REFILL_AFTER) {
        known.takenSinceRefill = taken;
        return;
      }
      const ahead = known === undefined ? MIN_AHEAD : Math.min(2 * known.ahead, MAX_AHEAD);
      demands.set(derivationKeyId, { ahead, takenSinceRefill: 0 });
      // Run outside the caller's request context: the refill serves all callers.
      running = runInContext(null, () => running.then(() => refill(derivationKeyId, ahead)));
    },
    async stop() {
      stopped = true;
      await running;
    },
  };
}
