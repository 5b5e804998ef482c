import { randomUUID } from 'node:crypto';
import type { TransactionTerms } from '../../machines/index.ts';
import type { OperationsDeps, Operator } from '../../src/operations/index.ts';
import { createTransactionKind } from '../../src/payments/index.ts';
import type { Bus } from '../../src/platform/bus/index.ts';
import type { Connection } from '../../src/platform/db/index.ts';
import { type ActorKind, createEngine, createKindRegistry, type Engine } from '../../src/platform/engine/index.ts';
import { createScheduleKind, createTokens } from '../../src/recurring/index.ts';
import { createDeliveryKind } from '../../src/webhooks/index.ts';
import { OPENED_AT, TERMS } from '../machines/transaction/terms.ts';
import { createTestClock, type TestClock } from '../support/clock.ts';
import { newActorId } from '../support/service/engine.ts';
import { silentLog } from '../support/silent-log.ts';

/** The real charts and effects on a real engine, without the features' own rows. */
export interface Installation extends OperationsDeps {
  readonly clock: TestClock;
  readonly engine: Engine;
  readonly bus: Pick<Bus, 'publish'>;
  /** Every published message, in order. */
  readonly published: { queue: string; id: string; data: unknown }[];
  startTransaction(terms?: Partial<TransactionTerms>): Promise<string>;
  startDelivery(): Promise<string>;
  startSchedule(): Promise<string>;
}

export const OPERATOR: Operator = { userId: 'usr_operator' };

export function createInstallation({ db }: Pick<Connection, 'db'>): Installation {
  const clock = createTestClock(OPENED_AT);
  const kinds = createKindRegistry([
    withoutRows(createTransactionKind({ publicUrl: 'https://pay.example' })),
    withoutRows(createDeliveryKind()),
    withoutRows(
      createScheduleKind({ publicUrl: 'https://pay.example', tokens: createTokens(Buffer.alloc(32)), clock }),
    ),
  ]);
  const engine = createEngine({ db, kinds, clock, log: silentLog });
  const published: Installation['published'] = [];
  const bus: Installation['bus'] = {
    async publish({ queue, id, data }) {
      published.push({ queue, id, data });
    },
  };

  async function start(
    kind: string,
    input: Readonly<Record<string, unknown>>,
    actorId = newActorId(),
  ): Promise<string> {
    await engine.start({ kind, actorId, startKey: null, input });
    return actorId;
  }

  return {
    db,
    kinds,
    clock,
    engine,
    bus,
    published,
    startTransaction(terms = {}) {
      const transactionId = newActorId();
      return start('transaction', { ...TERMS, network: 'litecoin-regtest', ...terms, transactionId }, transactionId);
    },
    startDelivery: () =>
      start('delivery', {
        deliveryId: newActorId(),
        endpointId: 'whk_none',
        webhookEventId: 'evt_none',
        earlierAttempts: 0,
      }),
    startSchedule: () =>
      start('schedule', { scheduleId: randomUUID(), interval: 'monthly', startAt: null, maxPeriods: null }),
  };
}

export function newRequestId(): string {
  return randomUUID();
}

// Helpers

function withoutRows({ prepare: _, project: __, ...kind }: ActorKind): ActorKind {
  return kind;
}
