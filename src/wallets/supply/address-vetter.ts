import type { Kysely } from 'kysely';
import { MINUTE_MS, SECOND_MS } from '../../../machines/index.ts';
import type { AddressHistory } from '../../chains/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/index.ts';
import { messageOf, RetryableError } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';
import { createPollLoop } from '../../platform/poll-loop.ts';
import { addressNetwork } from '../address-formats.ts';
import { parseNetworkName } from '../network-name.ts';
import { hasUnvettedWallet, loadUnvetted, recordVerdict } from './vetting.ts';

export interface AddressVetterDeps {
  readonly db: Kysely<Database>;
  readonly network: string;
  readonly history: AddressHistory;
  readonly log: Log;
  readonly clock: Clock;
  /** Pause between two polls for work; default `VET_POLL_MS`. */
  readonly pollMs?: number;
}

export interface AddressVetter {
  start(): void;
  /** Aborts a query in progress; sends and writes nothing afterwards. */
  stop(): Promise<void>;
  /** Vets one batch if there is work and the pause is over. `start` calls it in a loop. */
  vet(): Promise<VetOutcome>;
}

/** `more`: a full batch was vetted, there may be more. `cannot_tell`: the node never can. */
export type VetOutcome = 'idle' | 'done' | 'more' | 'cannot_tell';

const VET_POLL_MS = 15 * SECOND_MS;
/** Pause after a scan: each one reads the node's whole UTXO set, which takes minutes. */
export const SCAN_PAUSE_MS = 10 * MINUTE_MS;
/** Addresses per query: a UTXO scan costs the same for many; on EVM each balance is one request. */
const BATCHES = { utxo: 20_000, evm: 100 } as const;
/** Each failure doubles the pause, at most this many times. */
const MAX_DOUBLINGS = 6;

/**
 * Checks free addresses for earlier use on the chain, alongside the network's watcher, so that used
 * ones are not assigned where the node can detect them. Allocation never waits for it; see
 * `allocation.ts`. A wallet that was never vetted skips the pause between two scans.
 */
export function createAddressVetter(deps: AddressVetterDeps): AddressVetter {
  const { db, network, history, log, clock, pollMs = VET_POLL_MS } = deps;
  const { chain, kind } = parseNetworkName(network);
  const { family } = addressNetwork(chain, kind);
  const batch = BATCHES[family];
  const pauseMs = family === 'utxo' ? SCAN_PAUSE_MS : 0;
  const requestedKeyIds = new Set<string>();
  let cannotTell = false;
  let nextAt = 0;
  let failures = 0;
  let loggedReason: string | null = null;

  async function vet(signal?: AbortSignal): Promise<VetOutcome> {
    if (cannotTell) return 'cannot_tell';
    if (clock.now() < nextAt && !(await hasUnvettedWallet(db, network, [...requestedKeyIds]))) return 'idle';
    const requested = await loadUnvetted(db, network, batch);
    if (requested.length === 0) return 'idle';
    const used = await unlessAborted(signal, () => history.usedAmong(requested, signal));
    if (used === null) {
      cannotTell = true;
      log.info({ network }, 'this node cannot tell which addresses were used before: they are issued unvetted');
      return 'cannot_tell';
    }
    const { skipped, usedWallets } = await recordVerdict(db, network, { requested, used, at: clock.now() });
    for (const { derivationKeyId } of requested) requestedKeyIds.add(derivationKeyId);
    nextAt = clock.now() + pauseMs;
    if (skipped > 0) log.warn({ network, skipped }, 'addresses were used before and are skipped');
    for (const wallet of usedWallets) log.error({ network, ...wallet }, 'a wallet was used before');
    return requested.length === batch ? 'more' : 'done';
  }

  /** The pause after a failure. It doubles, so that a failing node is not scanned continuously. */
  function pauseAfter(error: unknown): number {
    failures += 1;
    const reason = error instanceof Error && 'code' in error ? String(error.code) : messageOf(error);
    if (reason !== loggedReason) log.warn({ network, reason: messageOf(error) }, 'addresses could not be vetted');
    loggedReason = reason;
    const requested = error instanceof RetryableError ? error.retryAfterMs : 0;
    return Math.max(requested, pollMs * 2 ** Math.min(failures, MAX_DOUBLINGS));
  }

  async function poll(signal: AbortSignal): Promise<number> {
    try {
      const outcome = await vet(signal);
      failures = 0;
      loggedReason = null;
      return outcome === 'more' && pauseMs === 0 ? 0 : pollMs;
    } catch (error) {
      return signal.aborted ? 0 : pauseAfter(error);
    }
  }

  // `poll` handles failures itself: each one doubles the pause.
  return { vet, ...createPollLoop({ work: poll, everyMs: pollMs, onFailure: () => {} }) };
}

// Helpers

/**
 * Resolves with `ask()`, or rejects as soon as the signal aborts: a hanging node must not delay
 * `stop`. Does not call `ask` if the signal is already aborted.
 */
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
