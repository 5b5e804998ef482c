import { setTimeout as sleep } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { MINUTE_MS, SECOND_MS } from '../../machines/index.ts';
import type { AddressHistory } from '../chains/index.ts';
import type { Clock } from '../clock.ts';
import type { Database } from '../db/index.ts';
import { messageOf, RetryableError } from '../errors.ts';
import type { Log } from '../log.ts';
import { parseNetworkName } from './derived-rows.ts';
import { addressNetwork } from './networks.ts';
import { hasUnvettedWallet, loadUnvetted, recordVerdict } from './vetting.ts';

export interface AddressVetterDeps {
  readonly db: Kysely<Database>;
  readonly network: string;
  readonly history: AddressHistory;
  readonly log: Log;
  readonly clock: Clock;
  /** Pause between two looks for work; default `VET_POLL_MS`. */
  readonly pollMs?: number;
}

export interface AddressVetter {
  start(): void;
  /** Gives up a question under way; nothing is asked or written afterwards. */
  stop(): Promise<void>;
  /** Asks about one batch, if there is work and it is time to. What `start` does again and again. */
  vet(): Promise<VetOutcome>;
}

/** `more`: a full batch was dealt with, so there may be more. `cannot_tell`: this node never can; there is no use in asking again. */
export type VetOutcome = 'idle' | 'done' | 'more' | 'cannot_tell';

export const VET_POLL_MS = 15 * SECOND_MS;
/** One scan reads every unspent output of the chain, whatever is asked about: minutes of the node's time. */
export const SCAN_PAUSE_MS = 10 * MINUTE_MS;
/** Addresses of one question: a scan costs the same for many; each balance of an account costs a request. */
const BATCHES = { utxo: 20_000, evm: 100 } as const;
/** Failures double the pause, this often at most. */
const MAX_DOUBLINGS = 6;

/**
 * Asks the chain about free addresses, beside the watcher of their network, so that none with an earlier history is handed out
 * where the node can tell. Nobody waits for it: see `allocation.ts`. A wallet that was never asked about does not wait
 * for the pause between two scans.
 */
export function createAddressVetter(deps: AddressVetterDeps): AddressVetter {
  const { db, network, history, log, clock, pollMs = VET_POLL_MS } = deps;
  const { chain, kind } = parseNetworkName(network);
  const { family } = addressNetwork(chain, kind);
  const batch = BATCHES[family];
  const pauseMs = family === 'utxo' ? SCAN_PAUSE_MS : 0;
  const askedKeyIds = new Set<string>();
  let cannotTell = false;
  let nextAt = 0;
  let stopping: AbortController | null = null;
  let finished: Promise<void> = Promise.resolve();
  let failures = 0;
  let toldReason: string | null = null;

  async function vet(signal?: AbortSignal): Promise<VetOutcome> {
    if (cannotTell) return 'cannot_tell';
    if (clock.now() < nextAt && !(await hasUnvettedWallet(db, network, [...askedKeyIds]))) return 'idle';
    const asked = await loadUnvetted(db, network, batch);
    if (asked.length === 0) return 'idle';
    const used = await unlessAborted(signal, () => history.usedAmong(asked, signal));
    if (used === null) {
      cannotTell = true;
      log.info({ network }, 'this node cannot tell which addresses were used before: they are handed out unvetted');
      return 'cannot_tell';
    }
    const { skipped, usedWallets } = await recordVerdict(db, network, { asked, used, at: clock.now() });
    for (const { derivationKeyId } of asked) askedKeyIds.add(derivationKeyId);
    nextAt = clock.now() + pauseMs;
    if (skipped > 0) log.warn({ network, skipped }, 'addresses were used before and are not handed out');
    for (const wallet of usedWallets) log.error({ network, ...wallet }, 'a wallet was used before');
    return asked.length === batch ? 'more' : 'done';
  }

  /** How long to wait after a failure. A node whose scans end in errors is not kept scanning. */
  function pauseAfter(error: unknown): number {
    failures += 1;
    const reason = error instanceof Error && 'code' in error ? String(error.code) : messageOf(error);
    if (reason !== toldReason) log.warn({ network, error: messageOf(error) }, 'addresses cannot be vetted now');
    toldReason = reason;
    const asked = error instanceof RetryableError ? error.retryAfterMs : 0;
    return Math.max(asked, pollMs * 2 ** Math.min(failures, MAX_DOUBLINGS));
  }

  async function run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      let waitMs = pollMs;
      try {
        const outcome = await vet(signal);
        if (outcome === 'cannot_tell') return;
        if (outcome === 'more' && pauseMs === 0) waitMs = 0;
        failures = 0;
        toldReason = null;
      } catch (error) {
        if (signal.aborted) return;
        waitMs = pauseAfter(error);
      }
      // An aborted sleep is the stop that was asked for.
      await sleep(waitMs, undefined, { signal }).catch(() => undefined);
    }
  }

  return {
    vet,
    start() {
      if (stopping !== null) return;
      stopping = new AbortController();
      finished = run(stopping.signal);
    },
    async stop() {
      stopping?.abort();
      await finished;
      stopping = null;
    },
  };
}

// Helpers

/** The answer, unless the signal comes first: a node that hangs must not hold up a stop. After the signal nothing is asked. */
async function unlessAborted<T>(signal: AbortSignal | undefined, ask: () => Promise<T>): Promise<T> {
  if (signal === undefined) return ask();
  signal.throwIfAborted();
  let abort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
  });
  try {
    return await Promise.race([ask(), aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
