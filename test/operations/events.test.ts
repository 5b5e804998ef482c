import fc from 'fast-check';
import { expect, test } from 'vitest';
import { operatorEventsOf } from '../../src/operations/actions/operator-events.ts';
import { getActor, previewOperatorEvent, readStepDetail, sendOperatorEvent } from '../../src/operations/index.ts';
import { seen } from '../machines/transaction/observations.ts';
import { CLOSES_AT } from '../machines/transaction/terms.ts';
import { describeDatabases } from '../support/database/test-database.ts';
import { assertAsyncProperty } from '../support/run/fast-check.ts';
import { level } from '../support/run/level.ts';
import { deliverAll, transactionEvents } from './histories.ts';
import { createInstallation, type Installation, newRequestId, OPERATOR } from './installation.ts';

const ETHER = { crypto: 'ETH', network: 'ethereum-regtest' } as const;

describeDatabases('operator events', (database) => {
  test('a preview shows exactly what then happens', async () => {
    const all = createInstallation(database());
    const choice = fc.constantFrom(...operatorEventsOf('transaction'));
    await assertAsyncProperty(
      fc.asyncProperty(transactionEvents, choice, async (events, { type, sample }) => {
        const id = await all.startTransaction(ETHER);
        await deliverAll(all, id, events);
        const before = await getActor(all, id);
        const request = { type, fields: sample, reason: 'property' };
        const preview = await previewOperatorEvent(all, OPERATOR, id, request);
        expect(await getActor(all, id)).toEqual(before);
        const sent = await sendOperatorEvent(all, OPERATOR, id, {
          ...request,
          seenSequence: before.steps,
          requestId: newRequestId(),
        });
        const stepDetail = await readStepDetail(all, id, before.steps + 1);
        expect(sent).toEqual({ outcome: preview.isTaken ? 'applied' : 'ignored', state: preview.state });
        expect(stepDetail.step).toMatchObject({ state: preview.state, outcome: sent.outcome, source: 'operator' });
        expect(stepDetail.changes).toEqual(preview.changes);
        expect(stepDetail.effects).toEqual(preview.effects);
        const received = stepDetail.effects.filter((effect) => effect.type === 'notifyMerchant');
        expect(preview.webhooks).toEqual(received.map(({ params }) => (params as { event: string }).event));
        const accepted = before.accepts.find((each) => each.type === type);
        expect(accepted?.isEnabled).toBe(
          preview.state !== before.state || stepDetail.changes.length + stepDetail.effects.length > 0,
        );
      }),
      { numRuns: level.runs(20) },
    );
  });

  test('the journal and the list of operator actions show who sent it and why', async () => {
    const all = createInstallation(database());
    const id = await paidLate(all);
    const requestId = newRequestId();
    const request = {
      type: 'merchant.marked_paid',
      fields: {},
      reason: ' asked by phone ',
      seenSequence: 3,
      requestId,
    };
    expect(await sendOperatorEvent(all, OPERATOR, id, request)).toEqual({ outcome: 'applied', state: 'completed' });
    const { step } = await readStepDetail(all, id, 4);
    expect(step.eventId).toBe(`operator:${requestId}`);
    expect(step.event).toMatchObject({ type: 'merchant.marked_paid', by: 'usr_operator', reason: 'asked by phone' });
    expect(await actionOf(all, requestId)).toMatchObject({
      who: 'usr_operator',
      reason: 'asked by phone',
      outcome: 'applied',
    });
  });

  test('a repeated request is one event, even if its first response was lost', async () => {
    const all = createInstallation(database());
    const id = await paidLate(all);
    const request = {
      type: 'merchant.dismissed',
      fields: {},
      reason: 'x',
      seenSequence: 3,
      requestId: newRequestId(),
    };
    const responses = [];
    for (let times = 0; times < 3; times += 1) responses.push(await sendOperatorEvent(all, OPERATOR, id, request));
    expect(new Set(responses.map((response) => JSON.stringify(response))).size).toBe(1);
    expect((await getActor(all, id)).steps).toBe(4);
    const other = { ...request, type: 'merchant.marked_paid' };
    await expect(sendOperatorEvent(all, OPERATOR, id, other)).rejects.toMatchObject({ code: 'REQUEST_REUSED' });
  });

  test('an event is not sent to an actor that has moved on since the operator looked', async () => {
    const all = createInstallation(database());
    const id = await paidLate(all);
    const requests = ['merchant.dismissed', 'merchant.marked_paid'].map((type) =>
      sendOperatorEvent(all, OPERATOR, id, {
        type,
        fields: {},
        reason: 'x',
        seenSequence: 3,
        requestId: newRequestId(),
      }),
    );
    // Both saw the same step, so exactly one is accepted.
    const results = await Promise.allSettled(requests);
    const [rejected] = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(rejected).toMatchObject({ code: 'STALE' });
    expect((await getActor(all, id)).steps).toBe(4);
  });

  test('of two tries at once, one too early, the log has the outcome of the one that was delivered', async () => {
    const all = createInstallation(database());
    const id = await paidLate(all);
    const requestId = newRequestId();
    const request = { type: 'merchant.marked_paid', fields: {}, reason: 'x', seenSequence: 4, requestId };
    const dismissed = { type: 'merchant.dismissed', seenSequence: 3 };
    const { deliverIf } = all.engine;
    const engine = {
      ...all.engine,
      // The other try is refused, and says so, before this one is delivered.
      async deliverIf(command: Parameters<typeof deliverIf>[0]) {
        await expect(sendOperatorEvent(all, OPERATOR, id, request)).rejects.toMatchObject({ code: 'STALE' });
        await sendOperatorEvent(all, OPERATOR, id, { ...request, ...dismissed, requestId: newRequestId() });
        return deliverIf(command);
      },
    };
    expect(await sendOperatorEvent({ ...all, engine }, OPERATOR, id, request)).toMatchObject({ outcome: 'ignored' });
    expect(await actionOf(all, requestId)).toMatchObject({ outcome: 'ignored' });
  });

  test('an event that was refused as stale is refused again, also once the actor has reached the step it named', async () => {
    const all = createInstallation(database());
    const id = await paidLate(all);
    const send = (type: string, seenSequence: number, requestId: string) =>
      sendOperatorEvent(all, OPERATOR, id, { type, fields: {}, reason: 'x', seenSequence, requestId });
    const early = newRequestId();
    await expect(send('merchant.marked_paid', 4, early)).rejects.toMatchObject({ code: 'STALE' });
    await send('merchant.dismissed', 3, newRequestId());
    await expect(send('merchant.marked_paid', 4, early)).rejects.toMatchObject({ code: 'STALE' });
    expect((await getActor(all, id)).steps).toBe(4);
  });

  test('an event that is not offered, has invalid fields or no reason is rejected by name and changes nothing', async () => {
    const all = createInstallation(database());
    const id = await all.startTransaction(ETHER);
    const preview = (type: string, fields: Record<string, unknown>, reason = 'x') =>
      previewOperatorEvent(all, OPERATOR, id, { type, fields, reason });
    await expect(preview('chain.output_seen', {})).rejects.toMatchObject({ code: 'EVENT_NOT_OFFERED', field: 'type' });
    await expect(preview('merchant.confirmed', { at: 1 })).rejects.toMatchObject({ field: 'fields.at' });
    await expect(preview('chain.balance_dropped', { missingBaseUnits: '-1' })).rejects.toMatchObject({
      code: 'INVALID_FIELDS',
      field: 'fields.missingBaseUnits',
    });
    await expect(preview('chain.balance_dropped', {})).rejects.toMatchObject({ code: 'INVALID_FIELDS' });
    for (const reason of ['  ', 'a\u0000b', 'x'.repeat(501), '\ud800']) {
      await expect(preview('merchant.confirmed', {}, reason)).rejects.toMatchObject({ code: 'INVALID_REASON' });
    }
    await expect(
      previewOperatorEvent(all, OPERATOR, 'nobody', { type: 'x', fields: {}, reason: 'x' }),
    ).rejects.toMatchObject({
      code: 'ACTOR_NOT_FOUND',
    });
    expect((await getActor(all, id)).steps).toBe(1);
  });

  test('a drop of the balance is offered only for coins that are held in accounts', async () => {
    const all = createInstallation(database());
    const id = await all.startTransaction();
    const dropped = { type: 'chain.balance_dropped', fields: { missingBaseUnits: '1' }, reason: 'x' };
    const rejection = { code: 'EVENT_NOT_OFFERED', field: 'type', message: expect.stringContaining('LTC') };
    await expect(previewOperatorEvent(all, OPERATOR, id, dropped)).rejects.toMatchObject(rejection);
    const request = { ...dropped, seenSequence: 1, requestId: newRequestId() };
    await expect(sendOperatorEvent(all, OPERATOR, id, request)).rejects.toMatchObject(rejection);
    const { accepts, steps } = await getActor(all, id);
    expect(steps).toBe(1);
    expect(accepts.find(({ type }) => type === dropped.type)).toMatchObject({
      isEnabled: false,
      whyNot: 'LTC has no account balance that can drop',
    });
  });

  test('deliveries and schedules accept their own events', async () => {
    const all = createInstallation(database());
    const schedule = await getActor(all, await all.startSchedule());
    expect(schedule.accepts.filter(({ isEnabled }) => isEnabled).map(({ type }) => type)).toEqual([
      'merchant.cancelled',
      'merchant.confirmation_resent',
      'customer.stopped',
      'mail.bounced',
    ]);
    const delivery = await getActor(all, await all.startDelivery());
    expect(delivery.accepts).toMatchObject([
      { type: 'merchant.redelivery_requested', fields: null, isEnabled: false, whyNot: 'only in waiting' },
    ]);
    expect(schedule.accepts.find(({ type }) => type === 'merchant.resumed')?.whyNot).toBe('only in paused');
  });
});

/** A payment with late coins, which the merchant has to decide. At its third step. */
async function paidLate(all: Installation): Promise<string> {
  const id = await all.startTransaction();
  const closed = { type: 'timer.window_closed', dueAt: CLOSES_AT + 90 * 86_400_000 };
  const { expiresAt } = (await getActor(all, id)).context as { expiresAt: number };
  await deliverAll(all, id, [closed, { ...seen({ order: 1, firstSeenAt: expiresAt + 1 }) }]);
  expect((await getActor(all, id)).state).toBe('expired.paidLate');
  return id;
}

async function actionOf({ db }: Installation, requestId: string): Promise<unknown> {
  const { sql } = await import('kysely');
  return (await sql`select * from operator_action where request_id = ${requestId}`.execute(db)).rows[0];
}
