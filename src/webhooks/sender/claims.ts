import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { createGrouped, type Database, whileDatabaseAnswers } from '../../db/index.ts';
import { messageOf, RetryableError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { SendMessage } from '../send-message.ts';
import { type AttemptFacts, giveBackAttempt, type TakeAnswer, takeAttempts } from './take-attempts.ts';

/**
 * Which attempts this sender makes, and nobody else. The broker hands a message to another process when this one shows no sign
 * of life for some seconds, and a busy machine is late with those; so before a request leaves, its attempt is
 * claimed in the database. A claim ends with the commit of the outcome, or is given back. That of a process that died ends by
 * the clock of the database, and the attempt is made again then.
 */
export interface Claims {
  /**
   * Claims an attempt, or makes the claim last longer. Null when the delivery is not waiting for the attempt any more.
   * Rejects with a `RetryableError` `ATTEMPT_HELD` when another sender has it.
   */
  take(message: SendMessage): Promise<AttemptFacts | null>;
  /** Whether a claim is certain to last this long from now on. */
  lasts(message: SendMessage, forMs: number): boolean;
  /** The outcome is committed: nothing is left to claim. */
  forget(message: SendMessage): void;
  /** The attempt is not made, or what became of it cannot be told: others may make it now. Never rejects. */
  giveBack(message: SendMessage): Promise<void>;
  close(): void;
}

export interface ClaimsDeps {
  readonly db: Kysely<Database>;
  readonly log: Log;
  readonly claimMs: number;
}

/** Claims that last long are renewed this often within their time; an attempt that is quicker, as nearly all are, costs nothing. */
const RENEWALS_PER_CLAIM = 4;

export function createClaims({ db, log, claimMs }: ClaimsDeps): Claims {
  const holder = randomUUID();
  const held = new Map<string, Held>();
  // Attempts of a busy moment share their statement.
  const takeGrouped = createGrouped(async (messages: readonly SendMessage[]): Promise<Taken[]> => {
    // Before the statement is sent: the database counts from a later moment.
    const until = performance.now() + claimMs;
    const answers = await takeAttempts(db, { holder, claimMs }, messages);
    return answers.map((answer) => ({ answer, until }));
  });

  async function take(message: SendMessage): Promise<AttemptFacts | null> {
    const { answer, until } = await whileDatabaseAnswers(() => takeGrouped(message));
    if (answer.kind === 'over') return null;
    if (answer.kind === 'held') throw heldError(answer.forMs);
    held.set(keyOf(message), { message, until, renewing: Promise.resolve() });
    return answer.facts;
  }

  /** Neither a claim that cannot be renewed nor one that has ended stops its attempt, which may be out already. */
  async function renew(each: Held): Promise<void> {
    try {
      const { answer, until } = await takeGrouped(each.message);
      if (answer.kind === 'taken') each.until = until;
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
    lasts: (message, forMs) => (held.get(keyOf(message))?.until ?? 0) - performance.now() > forMs,
    forget: (message) => void held.delete(keyOf(message)),
    async giveBack(message) {
      const known = held.get(keyOf(message));
      if (known === undefined) return;
      held.delete(keyOf(message));
      // A renewal that comes after it would claim what nobody makes.
      await known.renewing;
      try {
        await giveBackAttempt(db, holder, message);
      } catch (error) {
        log.warn({ deliveryId: message.deliveryId, reason: messageOf(error) }, 'a claim could not be given back');
      }
    },
    close: () => clearInterval(renewals),
  };
}

// Helpers

interface Held {
  readonly message: SendMessage;
  /** No later than the database says, by `performance.now()`. */
  until: number;
  /** Never rejects. */
  renewing: Promise<void>;
}

interface Taken {
  readonly answer: TakeAnswer;
  readonly until: number;
}

function keyOf({ deliveryId, attempt }: SendMessage): string {
  return `${deliveryId}:${attempt}`;
}

function heldError(forMs: number): RetryableError {
  const message = 'Another sender makes this attempt; it is asked for again when the claim of that one has ended';
  return new RetryableError('ATTEMPT_HELD', message, { retryAfterMs: forMs });
}
