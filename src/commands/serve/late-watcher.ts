import type { CryptoSymbol } from '../../../machines/index.ts';
import type { Watcher } from '../../chains/index.ts';
import { messageOf } from '../../errors.ts';

/** What a late watcher turns into. */
export interface MadeWatcher {
  readonly watcher: Watcher;
  /** What was found on the way and an operator should mend. Sentences. */
  readonly warnings: readonly string[];
  /** Assets that were left out because of it. */
  readonly unwatchedAssets: readonly CryptoSymbol[];
}

/**
 * A watcher that something must be asked before it can be made: the network itself, which may not answer. Every call tries
 * until it was made once; a failure is told as the failure of that call, and in the status.
 */
export function createLateWatcher(network: string, make: () => Promise<MadeWatcher>): Watcher {
  let making: Promise<MadeWatcher> | null = null;
  let made: MadeWatcher | null = null;
  let lastError: string | null = null;

  async function ready(): Promise<Watcher> {
    making ??= make();
    try {
      made = await making;
      return made.watcher;
    } catch (error) {
      making = null;
      lastError = messageOf(error);
      throw error;
    }
  }

  return {
    network,
    step: async () => (await ready()).step(),
    verify: async (request) => (await ready()).verify(request),
    rescan: async (range) => (await ready()).rescan(range),
    status() {
      if (made === null) {
        return { network, cursorHeight: null, tipHeight: null, lookedUntil: null, lastError, warnings: [] };
      }
      const status = made.watcher.status();
      const { warnings, unwatchedAssets } = made;
      return { ...status, warnings: [...warnings, ...status.warnings], unwatchedAssets };
    },
  };
}
