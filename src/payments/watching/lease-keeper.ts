import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { ChainLease } from '../chain-lease.ts';

/** What only the holder of a lease does. */
export interface Duty {
  start(): Promise<void>;
  /** Resolves when nothing is done any more. */
  stop(): Promise<void>;
}

export interface LeaseKeeper {
  /** Ends the duty, then gives the lease back; within seconds, whatever hangs. */
  stop(): Promise<void>;
}

export interface LeaseKeeperDeps {
  readonly lease: ChainLease;
  readonly network: string;
  /** Between two renewals, and between two attempts of a standby. Well below what the lease leaves to be used. */
  readonly renewEveryMs: number;
  /** Made anew each time the lease is taken: what a former turn remembers may be long overtaken. */
  readonly createDuty: () => Duty;
  readonly log: Log;
}

/** A standby that has had no answer for this long asks again. */
const TAKE_WITHIN_MS = 4_000;
/** A stop does not wait longer for a database that does not answer. */
const RELEASE_WITHIN_MS = 2_000;
/**
 * Nor longer for a duty that does not end: a node may take a minute to answer. Whoever takes the lease meanwhile is safe, because
 * what the old duty still wants to save is refused by its epoch.
 */
const END_WITHIN_MS = 4_000;

/**
 * Tries to hold a lease for as long as it runs, and does the duty exactly while it holds it. Without a database the duty ends
 * when the lease has been used up, and is taken up again by whoever is first when the database is back. Never rejects.
 */
export function keepLease({ lease, network, renewEveryMs, createDuty, log }: LeaseKeeperDeps): LeaseKeeper {
  const stopping = new AbortController();
  const { signal } = stopping;
  let duty: Duty | null = null;
  let isTold = false;

  async function begin(): Promise<void> {
    log.info({ network }, 'this process watches the network now');
    isTold = false;
    let fresh: Duty | null = null;
    try {
      fresh = createDuty();
      duty = fresh;
      await fresh.start();
    } catch (error) {
      log.error({ network, reason: messageOf(error) }, 'watching the network could not begin; it is tried again');
      if (duty !== fresh) return;
      await end();
      await lease.release().catch(() => undefined);
    }
  }

  /** Waits for a duty that does not end for a few seconds, and goes on without it. */
  async function end(): Promise<void> {
    const ending = duty;
    duty = null;
    if (ending === null) return;
    const hasEnded = ending.stop().catch((error: unknown) => {
      log.error({ network, reason: messageOf(error) }, 'watching the network did not end in order');
    });
    await atMost(END_WITHIN_MS, hasEnded);
  }

  async function take(): Promise<boolean> {
    try {
      return await lease.take();
    } catch (error) {
      if (duty === null && !isTold) {
        isTold = true;
        log.warn({ network, reason: messageOf(error) }, 'the right to watch the network cannot be asked for');
      }
      return lease.remainingMs() > 0;
    }
  }

  /**
   * A database that does not answer must keep nobody at work beyond the lease, no process from stopping, and no standby from
   * asking again.
   */
  function isStillMine(): Promise<boolean> {
    return unless(signal, take(), duty === null ? TAKE_WITHIN_MS : lease.remainingMs());
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      const isMine = await isStillMine();
      if (signal.aborted) break;
      // A duty that is slow to begin has begun: without renewals it would lose the lease meanwhile.
      if (isMine && duty === null) await atMost(renewEveryMs, begin());
      if (!isMine && duty !== null) {
        log.warn({ network }, 'the right to watch the network was lost; another process may watch it');
        await end();
      }
      await sleep(duty === null ? renewEveryMs : Math.min(renewEveryMs, lease.remainingMs()), undefined, {
        signal,
      }).catch(() => undefined);
    }
    await end();
    // Whoever cannot tell the database lets the lease run out.
    await atMost(RELEASE_WITHIN_MS, lease.release()).catch(() => undefined);
  }

  const finished = run();
  return {
    async stop() {
      stopping.abort();
      await finished;
    },
  };
}

// Helpers

/** The answer, or false when the signal or the time comes first. */
async function unless(signal: AbortSignal | null, answer: Promise<boolean>, withinMs: number): Promise<boolean> {
  const done = new AbortController();
  const { signal: isDone } = done;
  const elsewise = new Promise<false>((resolve) => {
    signal?.addEventListener('abort', () => resolve(false), { signal: isDone });
    void sleep(withinMs, undefined, { signal: isDone }).then(
      () => resolve(false),
      () => {},
    );
  });
  try {
    return await Promise.race([answer, elsewise]);
  } finally {
    done.abort();
  }
}

async function atMost(withinMs: number, work: Promise<void>): Promise<void> {
  await unless(
    null,
    work.then(() => true),
    withinMs,
  );
}
