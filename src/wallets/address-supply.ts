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
  /** Free addresses kept ready per key that is in use; default `ADDRESSES_AHEAD`. A burst beyond it derives on the spot. */
  readonly ahead?: number;
}

const ADDRESSES_AHEAD = 400;
/** Of those kept ahead, this part may be taken before more are derived. */
const REFILL_AFTER = 1 / 4;

/** Keeps derived addresses ahead of the demand of this process. */
export function createAddressSupply({ db, log, ahead = ADDRESSES_AHEAD }: AddressSupplyDeps): AddressSupply {
  const takenSinceRefill = new Map<string, number>();
  const repaired = new Set<string>();
  const thread = createDerivationThread();
  let running: Promise<void> = Promise.resolve();
  let stopped = false;

  async function refill(derivationKeyId: string): Promise<void> {
    if (stopped) return;
    try {
      if (!repaired.has(derivationKeyId)) await deriveMissing(db, derivationKeyId, thread);
      repaired.add(derivationKeyId);
      await deriveAhead(db, derivationKeyId, { ahead, derive: thread.derive });
    } catch (error) {
      // Creating goes on without: addresses are then derived in the transaction that needs them.
      takenSinceRefill.delete(derivationKeyId);
      // The stop ended the thread, which is no news.
      if (stopped) return;
      log.warn({ derivationKeyId, reason: messageOf(error) }, 'addresses could not be derived ahead');
    }
  }

  return {
    noteTaken(derivationKeyId, count) {
      const before = takenSinceRefill.get(derivationKeyId);
      const taken = (before ?? 0) + count;
      if (before !== undefined && taken < ahead * REFILL_AFTER) {
        takenSinceRefill.set(derivationKeyId, taken);
        return;
      }
      takenSinceRefill.set(derivationKeyId, 0);
      // For all who will ask, and not for whoever happened to take the last one.
      running = inWork(null, () => running.then(() => refill(derivationKeyId)));
    },
    async stop() {
      stopped = true;
      await thread.close();
      await running;
    },
  };
}
