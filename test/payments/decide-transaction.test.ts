import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import {
  createTransactionReader,
  DECISIONS,
  type DecisionRequest,
  decideTransaction,
  type PaymentDecision,
} from '../../src/payments/index.ts';
import type { ActorEvent } from '../../src/platform/engine/index.ts';
import { newId } from '../../src/platform/ids.ts';
import { CLOSES_AT, DUE, TERMS } from '../machines/transaction/terms.ts';
import { describeDatabases } from '../support/database/test-database.ts';
import { createPaymentRun, OTHER_MERCHANT, type PaymentRun } from './support/payment-run.ts';

const SCOPE = { merchantId: TERMS.merchantId, mode: TERMS.mode } as const;
const LATE: readonly ActorEvent[] = [
  { type: 'timer.window_closed', dueAt: CLOSES_AT },
  {
    type: 'chain.output_seen',
    outputId: 'a:0',
    txid: 'a',
    amountBaseUnits: DUE.toString(),
    order: 1,
    firstSeenAt: CLOSES_AT + 1,
  },
];
const IN_BLOCK = { type: 'chain.output_confirmed', order: 2, height: 101, blockHash: 'main-101' };
const DROPPED: readonly ActorEvent[] = [{ type: 'chain.balance_dropped', missingBaseUnits: '10' }];

describeDatabases("a merchant's decision on a payment", (database) => {
  let payments: PaymentRun;
  beforeEach(async () => {
    payments = await createPaymentRun(database());
  });

  const decide = async (transactionId: string, decision: PaymentDecision, more: Partial<DecisionRequest> = {}) =>
    decideTransaction({ db: database().db, engine: payments.engine }, SCOPE, {
      transactionId,
      decision,
      reason: 'the goods were still there',
      by: 'usr_1',
      seenStep: await stepOf(transactionId),
      requestId: randomUUID(),
      ...more,
    });
  const stepOf = async (id: string) => {
    const row = await database().db.selectFrom('actor').select('sequence').where('id', '=', id).executeTakeFirst();
    return row?.sequence ?? 1;
  };
  const stands = (id: string) =>
    database()
      .db.selectFrom('transaction')
      .select(['status', 'exception', 'completed_by'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
  const reported = async (id: string) => {
    const rows = await database()
      .db.selectFrom('webhook_event')
      .select('event')
      .where('transaction_id', '=', id)
      .execute();
    return rows.map(({ event }) => event);
  };
  const audited = (id: string) =>
    database().db.selectFrom('audit_entry').select(['what', 'who', 'details']).where('subject_id', '=', id).execute();
  const waiting = async (events: readonly ActorEvent[]) => {
    const id = await payments.start();
    await payments.play(id, events);
    return id;
  };

  test.each([
    { decision: 'mark_paid', events: LATE, status: 'completed', by: 'merchant', event: 'payment.completed' },
    { decision: 'dismiss', events: LATE, status: 'expired', by: null, event: null },
    { decision: 'confirm', events: DROPPED, status: 'completed', by: 'merchant', event: 'payment.completed' },
    { decision: 'reject', events: DROPPED, status: 'failed', by: null, event: 'payment.failed' },
  ] as const)('$decision makes it $status and is audited', async ({ decision, events, status, by, event }) => {
    const id = await waiting(events);
    const before = await reported(id);
    await decide(id, decision, { reason: '  because  ' });
    expect(await stands(id)).toEqual({ status, exception: null, completed_by: by });
    expect((await reported(id)).slice(before.length)).toEqual(event === null ? [] : [event]);
    const what = { mark_paid: 'marked_paid', dismiss: 'dismissed', confirm: 'confirmed', reject: 'rejected' }[decision];
    expect(await audited(id)).toEqual([{ what: `payment.${what}`, who: 'user usr_1', details: { reason: 'because' } }]);
  });

  test('is confirmed before it completes a payment with too few confirmed coins, and only then', async () => {
    const confirmed = await waiting([...LATE, { ...LATE[1], ...IN_BLOCK } as ActorEvent]);
    const dust = { ...LATE[1], amountBaseUnits: '1' } as ActorEvent;
    const short = () => waiting([LATE[0] as ActorEvent, dust]);
    const confirmShortfall = () => Promise.reject(new Error('asked'));
    for (const [id, decision] of [
      [await short(), 'mark_paid'],
      [await waiting(LATE), 'mark_paid'],
      [await waiting(DROPPED), 'confirm'],
    ] as const) {
      const before = await stands(id);
      await expect(decide(id, decision, { confirmShortfall })).rejects.toThrow('asked');
      expect(await stands(id)).toEqual(before);
      await decide(id, decision, { confirmShortfall: async () => {} });
      expect(await stands(id)).toMatchObject({ status: 'completed' });
    }
    const ahead = { confirmShortfall, seenStep: 1_000 };
    await expect(decide(confirmed, 'mark_paid', ahead)).rejects.toThrow('asked');
    await decide(confirmed, 'mark_paid', { confirmShortfall });
    await decide(await short(), 'dismiss', { confirmShortfall });
    await decide(await waiting(DROPPED), 'reject', { confirmShortfall });
  });

  test('of two concurrent decisions one succeeds and the other gets an error', async () => {
    const id = await waiting(LATE);
    const both = await Promise.allSettled([
      decide(id, 'mark_paid', { by: 'usr_1' }),
      decide(id, 'dismiss', { by: 'usr_2' }),
    ]);
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const rejection = both.find((each) => each.status === 'rejected');
    expect(rejection?.reason).toMatchObject({ code: 'INVALID_STATE' });
    expect(await audited(id)).toHaveLength(1);
  });

  test('rule 9: a decision on coins that have been replaced meanwhile is rejected with the changes', async () => {
    const id = await waiting(LATE);
    const seenStep = await stepOf(id);
    await payments.play(id, [
      // Dust leaves the payment in the state in which it may be decided.
      { ...LATE[1], outputId: 'b:0', txid: 'b', amountBaseUnits: '1', order: 2 } as ActorEvent,
      { ...LATE[1], type: 'chain.output_dropped', reason: 'replaced', order: 3 } as ActorEvent,
    ]);
    const steps = await journalLength(id);
    const rejection = decide(id, 'mark_paid', { seenStep });
    await expect(rejection).rejects.toMatchObject({ code: 'INVALID_STATE', field: 'seen_step' });
    await expect(rejection).rejects.toThrow('0.001 LTC was replaced by another transaction');
    expect([await stands(id), await journalLength(id)]).toMatchObject([
      { status: 'expired', exception: 'paid_late' },
      steps,
    ]);
    await decide(id, 'mark_paid');
    expect(await stands(id)).toMatchObject({ status: 'completed' });
  });

  test('rule 9: a repeated observation that changes nothing neither increases the step nor rejects a decision', async () => {
    const id = await waiting(LATE);
    const seenStep = await shownStep(id);
    expect(await payments.play(id, [LATE[1] as ActorEvent, LATE[1] as ActorEvent])).toEqual(['ignored', 'ignored']);
    expect(await shownStep(id)).toBe(seenStep);
    await decide(id, 'mark_paid', { seenStep });
    expect(await stands(id)).toMatchObject({ status: 'completed' });
    expect(await shownStep(id)).toBeGreaterThan(seenStep);
  });

  test('of a decision and a concurrent event, in either order, nothing unseen is decided', async () => {
    const id = await waiting(LATE);
    const more = { ...LATE[1], outputId: 'b:0', txid: 'b', order: 2 } as ActorEvent;
    const seenStep = await stepOf(id);
    const [, decided] = await Promise.allSettled([payments.play(id, [more]), decide(id, 'mark_paid', { seenStep })]);
    const journal = await database()
      .db.selectFrom('journal_entry')
      .select('event_type')
      .where('actor_id', '=', id)
      .orderBy('sequence')
      .execute();
    const types = journal.map(({ event_type: type }) => type);
    const expected = ['merchant.marked_paid', 'chain.output_seen'];
    expect(types.slice(seenStep)).toEqual(decided.status === 'fulfilled' ? expected : expected.slice(1));
  });

  test('a program decides under the id of its key', async () => {
    const id = await waiting(LATE);
    await decide(id, 'dismiss', { by: newId('key') });
    expect(await audited(id)).toMatchObject([
      { what: 'payment.dismissed', who: expect.stringMatching(/^API key key_/) },
    ]);
  });

  test('a repeated click is one decision, also concurrently and after it was applied', async () => {
    const id = await waiting(LATE);
    const requestId = randomUUID();
    await Promise.all([decide(id, 'mark_paid', { requestId }), decide(id, 'mark_paid', { requestId })]);
    await decide(id, 'mark_paid', { requestId });
    expect(await audited(id)).toHaveLength(1);
    expect((await reported(id)).filter((event) => event === 'payment.completed')).toHaveLength(1);
    for (const other of [{ reason: 'another' }, { by: 'usr_2' }]) {
      await expect(decide(id, 'mark_paid', { requestId, ...other })).rejects.toMatchObject({ code: 'REQUEST_REUSED' });
    }
  });

  test('an impossible decision is rejected with the possible ones, and leaves no trace', async () => {
    const [open, late, review] = [await waiting([]), await waiting(LATE), await waiting(DROPPED)];
    const allowed: Readonly<Record<string, readonly string[]>> = {
      [open]: [],
      [late]: ['mark_paid', 'dismiss'],
      [review]: ['confirm', 'reject'],
    };
    for (const id of [open, late, review]) {
      const steps = await journalLength(id);
      for (const decision of DECISIONS.filter((each) => !allowed[id]?.includes(each))) {
        await expect(decide(id, decision)).rejects.toMatchObject({ code: 'INVALID_STATE' });
      }
      expect(await journalLength(id)).toBe(steps);
      expect(await audited(id)).toEqual([]);
    }
    await expect(decide(late, 'confirm')).rejects.toThrow('expired with paid_late: you can mark it as paid or dismiss');
    await expect(decide(open, 'reject')).rejects.toThrow('this one is pending: it needs no decision');
  });

  test('a payment of another merchant, or of the other mode, is not found', async () => {
    const id = await waiting(LATE);
    const request = {
      transactionId: id,
      decision: 'mark_paid',
      reason: 'mine',
      by: 'usr_1',
      seenStep: 3,
      requestId: 'r',
    } as const;
    const deps = { db: database().db, engine: payments.engine };
    for (const scope of [{ ...SCOPE, merchantId: OTHER_MERCHANT }, { ...SCOPE, mode: 'live' } as const]) {
      await expect(decideTransaction(deps, scope, request)).rejects.toMatchObject({ code: 'TRANSACTION_NOT_FOUND' });
    }
    await expect(decide('txn_unknown', 'mark_paid')).rejects.toMatchObject({ code: 'TRANSACTION_NOT_FOUND' });
  });

  test('a reason is required', async () => {
    const id = await waiting(LATE);
    for (const reason of ['', ' \n ', 'x'.repeat(501), 'half \ud800', 'nul \0']) {
      await expect(decide(id, 'mark_paid', { reason })).rejects.toMatchObject({
        code: 'INVALID_REQUEST',
        field: 'reason',
      });
    }
    await decide(id, 'mark_paid', { reason: 'x'.repeat(500) });
  });

  test('a crash before the commit leaves neither the decision nor its entry, and the same click applies both', async () => {
    const id = await waiting(LATE);
    const requestId = randomUUID();
    payments.crashOnce('engine.before_commit');
    await expect(decide(id, 'mark_paid', { requestId })).rejects.toThrow();
    expect([await audited(id), await stands(id)]).toMatchObject([[], { status: 'expired', exception: 'paid_late' }]);
    payments.crashOnce('engine.after_commit');
    await expect(decide(id, 'mark_paid', { requestId })).rejects.toThrow();
    await decide(id, 'mark_paid', { requestId });
    expect([(await audited(id)).length, await stands(id)]).toMatchObject([1, { status: 'completed' }]);
  });

  async function shownStep(id: string): Promise<number> {
    const reader = createTransactionReader({ db: database().db, publicUrl: 'https://pay.example' });
    return (await reader.get(SCOPE, id)).step;
  }

  async function journalLength(id: string): Promise<number> {
    const rows = await database()
      .db.selectFrom('journal_entry')
      .select('sequence')
      .where('actor_id', '=', id)
      .execute();
    return rows.length;
  }
});
