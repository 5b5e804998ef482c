import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { createGrouped, type Database } from '../../platform/db/index.ts';
import { messageOf, RetryableError } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';
import type { SendMessage } from '../send-message.ts';
import { type ClaimedAttempt, type ClaimResult, claimAttempts, releaseAttempt } from './claim-attempts.ts';

/**
 * Ensures that only one sender sends each attempt. The broker redelivers a message to another
 * process when this one sends no heartbeat for some seconds, and a busy machine sends them late. So
 * an attempt is claimed in the database before its request is sent. A claim ends with the commit of
 * the outcome, or when it is released. The claim of a process that died expires by the database
 * clock, and the attempt is then sent again.
 */
export interface Claims {
  /**
   * Claims an attempt, or extends its claim. Null when the delivery no longer waits for the
   * attempt. Rejects with a `RetryableError` `ATTEMPT_HELD` when another sender has claimed it.
   */
  take(message: SendMessage): Promise<ClaimedAttempt | null>;
  /** Whether a claim is certain to last `forMs` from now on. */
  lasts(message: SendMessage, forMs: number): boolean;
  /** Call after the outcome is committed, which ends the claim. */
  forget(message: SendMessage): void;
  /**
   * Releases the claim when the attempt is not sent or its outcome could not be reported, so that
   * another sender can send it now. Never rejects.
   */
  release(message: SendMessage): Promise<void>;
  close(): void;
}

export interface ClaimsDeps {
  readonly db: Kysely<Database>;
  readonly log: Log;
  readonly claimMs: number;
}

/** Renewals per claim duration. An attempt that is faster, as nearly all are, needs none. */
const RENEWALS_PER_CLAIM = 4;

export function createClaims({ db, log, claimMs }: ClaimsDeps): Claims {
  const holder = randomUUID();
  const held = new Map<string, Held>();
  // Under load, attempts share a statement.
  const takeGrouped = createGrouped(async (messages: readonly SendMessage[]): Promise<Taken[]> => {
    // Before the statement is sent, so that this never ends after the claim in the database.
    const until = performance.now() + claimMs;
    const responses = await claimAttempts(db, { holder, claimMs }, messages);
    return responses.map((response) => ({ response, until }));
  });

  async function take(message: SendMessage): Promise<ClaimedAttempt | null> {
    const { response, until } = await takeGrouped(message);
    if (response.kind === 'over') return null;
    if (response.kind === 'held') throw heldError(response.forMs);
    held.set(attemptKeyOf(message), { message, until, renewing: Promise.resolve() });
    return response.claimed;
  }

  /** A failed renewal or an expired claim does not stop the attempt, which may already be sent. */
  async function renew(each: Held): Promise<void> {
    try {
      const { response, until } = await takeGrouped(each.message);
      if (response.kind === 'taken') each.until = until;
    } catch (error) {
      log.warn({ deliveryId: each.message.deliveryId, reason: messageOf(error) }, 'a claim could not be renewed');
    }
  }

  const periodMs = claimMs / RENEWALS_PER_CLAIM;
  const renewals = setInterval(() => {
    const due = performance.now() + claimMs - periodMs;
    for (const each of held.values()) if (each.until < due) each.renewing = renew(each);
  }, periodMs);

  return {
    take,
    lasts: (message, forMs) => (held.get(attemptKeyOf(message))?.until ?? 0) - performance.now() > forMs,
    forget: (message) => void held.delete(attemptKeyOf(message)),
    async release(message) {
      const known = held.get(attemptKeyOf(message));
      if (known === undefined) return;
      held.delete(attemptKeyOf(message));
      // A renewal after the release would claim an attempt that no process sends.
      await known.renewing;
      try {
        await releaseAttempt(db, holder, message);
      } catch (error) {
        log.warn({ deliveryId: message.deliveryId, reason: messageOf(error) }, 'a claim could not be released');
      }
    },
    close: () => clearInterval(renewals),
  };
}

// Helpers

interface Held {
  readonly message: SendMessage;
  /** Never later than in the database, by `performance.now()`. */
  until: number;
  /** Never rejects. */
  renewing: Promise<void>;
}

interface Taken {
  readonly response: ClaimResult;
  readonly until: number;
}

/** Identifies an attempt in maps. */
export function attemptKeyOf({ deliveryId, attempt }: SendMessage): string {
  return `${deliveryId}:${attempt}`;
}

function heldError(forMs: number): RetryableError {
  const message = 'Another sender is making this attempt; it is requested again when that claim has ended';
  return new RetryableError('ATTEMPT_HELD', message, { retryAfterMs: forMs });
}
