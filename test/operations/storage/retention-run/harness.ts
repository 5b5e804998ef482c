import { sql } from 'kysely';
import { DAY_MS, MONITORING_MS } from '../../../../machines/index.ts';
import { createTransactionKind } from '../../../../src/payments/index.ts';
import { type ActorEvent, createEngine, createKindRegistry } from '../../../../src/platform/engine/index.ts';
import { createDeliveryKind, redeliver } from '../../../../src/webhooks/index.ts';
import { readSendMessage } from '../../../../src/webhooks/send-message.ts';
import { CLOSES_AT, DUE, OPENED_AT, TERMS } from '../../../machines/transaction/terms.ts';
import type { TestClock } from '../../../support/clock.ts';
import type { TestDatabase } from '../../../support/database/test-database.ts';
import { EMPTY_ATTACHMENT } from '../../../support/empty-attachment.ts';
import { silentLog } from '../../../support/silent-log.ts';
import type { Action } from './history.ts';
import { writeLogs } from './logs.ts';

/** A shop with one endpoint, the same in both databases. */
export interface Shop {
  readonly merchantId: string;
  readonly endpointId: string;
}

export type RetentionHarness = ReturnType<typeof createRetentionHarness>;
export const PUBLIC_URL = 'https://pay.example';
export type Done = Exclude<Action, { do: 'wait' } | { do: 'apply retention' }>;

/** Payments and webhooks in one database. Both databases get the same events with the same ids. */
export function createRetentionHarness({ db }: TestDatabase, clock: TestClock, shop: Shop) {
  const { prepare: _, ...transaction } = createTransactionKind({ publicUrl: PUBLIC_URL });
  const kinds = createKindRegistry([transaction, createDeliveryKind()]);
  const requested: unknown[] = [];
  const engine = createEngine({
    db,
    kinds,
    clock,
    log: silentLog,
    onCommitted: (messages) => void requested.push(...messages.flatMap(({ isHint, data }) => (isHint ? [data] : []))),
  });

  /**
   * After the end, duplicates count as ignored: the engine detects them only while the journal is
   * in place.
   */
  async function deliver(actorId: string, eventId: string, event: ActorEvent): Promise<unknown> {
    const { outcome, state } = await engine.deliver({ actorId, eventId, event });
    return { outcome: outcome === 'duplicate' ? 'ignored' : outcome, state };
  }

  async function pay(id: string, index: number, { paid, key }: Done & { do: 'pay' }): Promise<unknown> {
    const startKey = `start-${shop.merchantId}-${key}`;
    const input = {
      ...TERMS,
      network: 'litecoin-regtest',
      merchantId: shop.merchantId,
      transactionId: id,
      createdAt: clock.now(),
    };
    const attachment = { ...EMPTY_ATTACHMENT, idempotencyKey: `key-${key}`, requestHash: 'hash' };
    const { outcome, actorId } = await engine.start({ kind: 'transaction', actorId: id, startKey, input, attachment });
    if (outcome !== 'started' || paid === 'nothing') return { outcome, actorId };
    const amountBaseUnits = (paid === 'all' ? DUE : DUE / 2n).toString();
    const output = { outputId: `${index}:0`, txid: `tx-${index}`, amountBaseUnits, firstSeenAt: clock.now() };
    await deliver(id, 'seen', { type: 'chain.output_seen', order: 1, ...output });
    const block = { height: 101, blockHash: 'b' };
    return deliver(id, 'confirmed', { type: 'chain.output_confirmed', order: 2, ...output, ...block });
  }

  async function respond(isTaken: boolean, index: number): Promise<unknown> {
    const open = await db
      .selectFrom('webhook_delivery')
      .select('id')
      .where('ended_at', 'is', null)
      .orderBy('id')
      .execute();
    const outcomes: unknown[] = [];
    for (const { id } of open) {
      await deliver(id, `retry-${index}`, { type: 'timer.retry_due', dueAt: clock.now() + 10 * DAY_MS });
      const { rows } = await sql<{ attempt: number }>`
        select (snapshot -> 'context' ->> 'attempt')::int4 as attempt from actor where id = ${id}`.execute(db);
      const attempt = rows[0]?.attempt ?? 0;
      const status = isTaken ? 200 : 500;
      const failure = isTaken ? null : 'status';
      await db
        .insertInto('webhook_attempt')
        .values({ delivery_id: id, attempt, started_at: new Date(clock.now()), duration_ms: 5, status, failure })
        .execute();
      const event = isTaken
        ? { type: 'sender.attempt_succeeded', attempt, status }
        : { type: 'sender.attempt_failed', attempt, failure: { kind: 'status', status, detail: '' }, jitter: 0 };
      outcomes.push([id, await deliver(id, `answer-${index}`, event)]);
    }
    return outcomes;
  }

  function startDelivery(data: unknown): Promise<unknown> {
    const { deliveryId, endpointId, owed } = readSendMessage(data);
    const input = { deliveryId, endpointId, webhookEventId: owed?.webhookEventId, earlierAttempts: 0 };
    return engine.start({ kind: 'delivery', actorId: deliveryId, startKey: null, input });
  }

  /** Does the work of relay, bus and sender. */
  async function startRequested(): Promise<void> {
    for (const data of requested.splice(0)) await startDelivery(data);
  }

  async function act(action: Done, { subject, index }: { subject: string; index: number }): Promise<unknown> {
    switch (action.do) {
      case 'pay':
        return pay(subject, index, action);
      case 'close': {
        const dueAt = clock.now() + (CLOSES_AT - OPENED_AT);
        const first = await deliver(subject, 'closed', { type: 'timer.window_closed', dueAt });
        const ended = { type: 'timer.monitoring_ended', dueAt: dueAt + MONITORING_MS };
        return [first, await deliver(subject, 'ended', ended)];
      }
      case 'sendLate': {
        const output = { outputId: `${index}:1`, txid: `tx-${index}`, amountBaseUnits: '7', firstSeenAt: clock.now() };
        return deliver(subject, `late-${index}`, { type: 'chain.output_seen', order: index + 10, ...output });
      }
      case 'answer':
        return respond(action.isTaken, index);
      case 'redeliver':
        return redeliver({ db, engine }, { merchantId: shop.merchantId, deliveryId: subject }).catch(codeOf);
      case 'write':
        return writeLogs(db, { merchantId: shop.merchantId, index, now: clock.now(), isOver: action.isOver });
    }
  }

  return {
    db,
    kinds,
    shop,
    async act(action: Done, about: { subject: string; index: number }): Promise<unknown> {
      const outcome = await act(action, about);
      await startRequested();
      return outcome;
    },
  };
}

// Helpers

function codeOf(error: unknown): unknown {
  if (error instanceof Error && 'code' in error) return error.code;
  throw error;
}
