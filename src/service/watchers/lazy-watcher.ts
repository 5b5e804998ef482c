import type { CryptoSymbol } from '../../../machines/index.ts';
import type { Watcher } from '../../chains/index.ts';
import { messageOf } from '../../platform/errors.ts';

/** The result of making a lazy watcher. */
export interface CreatedWatcher {
  readonly watcher: Watcher;
  /** Problems found while making it that an operator should fix, as sentences. */
  readonly warnings: readonly string[];
  /** Assets that are not watched because of these problems. */
  readonly unwatchedAssets: readonly CryptoSymbol[];
}

/**
 * A lazy watcher: creating it requires network requests, which may fail. Each call tries to create
 * it until one succeeds; a failure is returned as that call's failure, and in the status.
 */
export function createLazyWatcher(network: string, make: () => Promise<CreatedWatcher>): Watcher {
  let making: Promise<CreatedWatcher> | null = null;
  let made: CreatedWatcher | null = null;
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
    search: async (txid, height) => (await ready()).search(txid, height),
    status() {
      if (made === null) {
        return { network, cursorHeight: null, tipHeight: null, syncedUntil: null, lastError, warnings: [] };
      }
      const status = made.watcher.status();
      const { warnings, unwatchedAssets } = made;
      return { ...status, warnings: [...warnings, ...status.warnings], unwatchedAssets };
    },
  };
}
