import type { TransactionTerms } from '../../../machines/index.ts';
import { createTransactionKind } from '../../../src/payments/index.ts';
import type { TransactionAttachment } from '../../../src/payments/projection/attachment.ts';
import type { Connection } from '../../../src/platform/db/index.ts';
import {
  type ActorEvent,
  type CrashPoint,
  createEngine,
  createKindRegistry,
  type Engine,
  type EventOutcome,
} from '../../../src/platform/engine/index.ts';
import { RetryableError } from '../../../src/platform/errors.ts';
import { newId } from '../../../src/platform/ids.ts';
import { OPENED_AT, TERMS } from '../../machines/transaction/terms.ts';
import { createTestClock, type TestClock } from '../../support/clock.ts';
import { EMPTY_ATTACHMENT } from '../../support/empty-attachment.ts';
import { silentLog } from '../../support/silent-log.ts';

export const OTHER_MERCHANT = 'mer_other';

/**
 * Payments of two merchants with all their rows, driven by the events of a test; their addresses
 * come from no wallet.
 */
export interface PaymentRun {
  readonly clock: TestClock;
  readonly engine: Engine;
  start(terms?: Partial<TransactionTerms>, details?: Partial<TransactionAttachment>): Promise<string>;
  /** Delivers these events to a payment, one after the other. */
  play(transactionId: string, events: readonly ActorEvent[]): Promise<readonly EventOutcome['outcome'][]>;
  /** Aborts the next batch that reaches this point, as if the database had disconnected. */
  crashOnce(point: CrashPoint): void;
}

export async function createPaymentRun({ db }: Pick<Connection, 'db'>): Promise<PaymentRun> {
  for (const id of [TERMS.merchantId, OTHER_MERCHANT]) {
    const merchant = { id, name: id, email: `${id}@example.com`, plan: 'professional', settings: '{}' };
    await db
      .insertInto('merchant')
      .values(merchant)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  const clock = createTestClock(OPENED_AT);
  const { prepare: _, ...kind } = createTransactionKind({ publicUrl: 'https://pay.example' });
  let next: CrashPoint | null = null;
  const crash = (point: CrashPoint) => {
    if (point !== next) return;
    next = null;
    throw new RetryableError('CRASHED', 'The test has cut it off');
  };
  const engine = createEngine({ db, kinds: createKindRegistry([kind]), clock, log: silentLog, crash });
  let played = 0;
  return {
    clock,
    engine,
    async start(terms = {}, details = {}) {
      const transactionId = newId('txn');
      const input = { ...TERMS, network: 'litecoin-regtest', ...terms, transactionId };
      const attachment = { ...EMPTY_ATTACHMENT, ...details };
      await engine.start({ kind: 'transaction', actorId: transactionId, startKey: null, input, attachment });
      return transactionId;
    },
    async play(actorId, events) {
      const outcomes: EventOutcome['outcome'][] = [];
      for (const event of events) {
        played += 1;
        const { outcome } = await engine.deliver({ actorId, eventId: `test:${played}`, event });
        outcomes.push(outcome);
      }
      return outcomes;
    },
    crashOnce(point) {
      next = point;
    },
  };
}
