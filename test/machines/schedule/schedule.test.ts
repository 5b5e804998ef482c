import { describe, expect, it } from 'vitest';
import { DAY_MS, MINUTE_MS, scheduleMachine } from '../../../machines/index.ts';
import { itKeepsTheRulesOfForm } from '../chart-hygiene.ts';
import { CREATED_AT, type ScheduleRun, startSchedule } from './schedule-run.ts';

describe('the schedule chart', () => {
  itKeepsTheRulesOfForm(scheduleMachine, ['customer', 'merchant', 'mail', 'payment', 'timer']);
});

describe('a schedule', () => {
  it('rule 48: asks the customer once, again on request of the merchant, and gives up after 7 days', () => {
    const run = startSchedule();
    for (let time = 0; time < 10; time += 1) run.send({ type: 'merchant.confirmation_resent' });
    expect(run.mails.map(({ kind, step }) => [kind, step])).toEqual(
      [0, 1, 2, 3, 4].map((step) => ['confirmation', step]),
    );
    run.passTo(CREATED_AT + 7 * DAY_MS);
    expect(run.leaf()).toBe('ended.expiredUnconfirmed');
    expect(run.notifications).toEqual([{ event: 'recurring.stopped', reason: 'unconfirmed', sequence: 1 }]);
    run.send({ type: 'customer.confirmed' });
    expect(run.leaf()).toBe('ended.expiredUnconfirmed');
  });

  it('requests period 1 on confirmation, when no start was agreed', () => {
    const run = confirmed();
    expect(run.leaf()).toBe('active.awaiting');
    expect(run.requested).toEqual([{ periodNo: 1, dueAt: CREATED_AT, at: CREATED_AT }]);
    expect(run.notifications).toEqual([{ event: 'recurring.confirmed', sequence: 1 }]);
    expect(run.mails.at(-1)).toEqual({ kind: 'request', step: 0, periodNo: 1, dueAt: CREATED_AT });
  });

  it('waits for its start date', () => {
    const startAt = CREATED_AT + 20 * DAY_MS;
    const run = startSchedule({ interval: 'monthly', startAt });
    run.send({ type: 'customer.confirmed' });
    expect(run.leaf()).toBe('active.waiting');
    run.passTo(startAt);
    expect(run.requested).toEqual([{ periodNo: 1, dueAt: startAt, at: startAt }]);
  });

  it('rule 51: sends reminders after 3 and 6 days, gives the period up after 7, and still accepts its money', () => {
    const run = confirmed();
    run.passTo(CREATED_AT + 7 * DAY_MS);
    expect(run.mails.filter(({ kind }) => kind === 'request').map(({ step }) => step)).toEqual([0, 1, 2]);
    expect(run.notifications.at(-1)).toEqual({ event: 'recurring.payment.unpaid', periodNo: 1, sequence: 2 });
    expect(run.leaf()).toBe('active.waiting');
    run.passTo(CREATED_AT + 20 * DAY_MS);
    run.send({ type: 'payment.completed', periodNo: 1, transactionId: 'txn_late' });
    expect(run.notifications.at(-1)).toEqual({
      event: 'recurring.payment.completed',
      periodNo: 1,
      transactionId: 'txn_late',
      sequence: 3,
    });
  });

  it('rule 51: sends one reminder, not two at once, when it is resumed after both were due', () => {
    const run = confirmed();
    run.send({ type: 'merchant.paused' });
    run.passTo(CREATED_AT + 6.5 * DAY_MS);
    run.send({ type: 'merchant.resumed' });
    run.passTo(CREATED_AT + 7 * DAY_MS);
    expect(run.mails.filter(({ kind }) => kind === 'request').map(({ step }) => step)).toEqual([0, 1]);
    expect(run.notifications.at(-1)).toMatchObject({ event: 'recurring.payment.unpaid', periodNo: 1 });
  });

  it('rule 51: sends one reminder, not two at once, after downtime', () => {
    const run = confirmed();
    run.sleepTo(CREATED_AT + 6.5 * DAY_MS);
    expect(run.mails.filter(({ kind }) => kind === 'request').map(({ step }) => step)).toEqual([0, 1]);
    expect([...run.timers.keys()]).not.toContain('reminder_due');
  });

  it('sends no reminder for a paid period, and reports the payment once however often it is paid', () => {
    const run = confirmed();
    run.send({ type: 'payment.completed', periodNo: 1, transactionId: 'txn_1' });
    run.send({ type: 'payment.completed', periodNo: 1, transactionId: 'txn_2' });
    run.passTo(CREATED_AT + 27 * DAY_MS);
    expect(run.mails.filter(({ kind }) => kind === 'request').length).toBe(1);
    expect(run.notifications.filter(({ event }) => event === 'recurring.payment.completed').length).toBe(1);
  });

  it('gives up a weekly period when the next one is due, with a reminder before that', () => {
    const run = confirmed({ interval: 'weekly' });
    run.passTo(CREATED_AT + 7 * DAY_MS);
    expect(run.notifications.map(({ event }) => event)).toEqual(['recurring.confirmed', 'recurring.payment.unpaid']);
    expect(run.context().current?.periodNo).toBe(2);
  });

  it('rule 50: requests only the newest period after downtime', () => {
    const run = confirmed();
    run.sleepTo(Date.UTC(2027, 5, 10));
    expect(run.requested.map(({ periodNo }) => periodNo)).toEqual([1, 5]);
    expect(run.skipped).toEqual([{ from: 2, to: 4 }]);
    expect(run.context().current?.dueAt).toBe(Date.UTC(2027, 4, 31, 9, 30));
  });

  it('rule 50: requests nothing while paused, and skips missed periods', () => {
    const run = confirmed();
    run.send({ type: 'merchant.paused' });
    run.passTo(Date.UTC(2027, 3, 5));
    expect(run.requested.length).toBe(1);
    expect(run.mails.filter(({ kind }) => kind === 'request').length).toBe(1);
    run.send({ type: 'merchant.resumed' });
    expect(run.leaf()).toBe('active.waiting');
    expect(run.skipped).toEqual([{ from: 2, to: 3 }]);
    run.passTo(Date.UTC(2027, 3, 30, 9, 30));
    expect(run.context().current?.periodNo).toBe(4);
  });

  it('rule 50: requests a period that was due before a pause, although its timer was still pending', () => {
    const run = confirmed();
    const due = run.timers.get('period_due') ?? Number.NaN;
    run.lagTo(due + 10 * MINUTE_MS);
    run.send({ type: 'merchant.paused' });
    expect(run.leaf()).toBe('paused');
    expect(run.requested.map(({ periodNo }) => periodNo)).toEqual([1, 2]);
    expect(run.notifications.map(({ event }) => event)).toEqual(['recurring.confirmed', 'recurring.payment.unpaid']);
    run.passTo(due + DAY_MS);
    run.send({ type: 'merchant.resumed' });
    expect(run.leaf()).toBe('active.awaiting');
    expect(run.requested.length).toBe(2);
    expect(run.skipped).toEqual([]);
  });

  it('ends after its last period, paid or not, and still accepts money for it', () => {
    const run = confirmed({ interval: 'monthly', maxPeriods: 2 });
    run.send({ type: 'payment.completed', periodNo: 1, transactionId: 'txn_1' });
    run.passTo(CREATED_AT + 60 * DAY_MS);
    expect(run.leaf()).toBe('ended.finished');
    run.send({ type: 'payment.completed', periodNo: 2, transactionId: 'txn_2' });
    expect(run.notifications.map(({ event }) => event)).toEqual([
      'recurring.confirmed',
      'recurring.payment.completed',
      'recurring.payment.unpaid',
      'recurring.payment.completed',
    ]);
  });

  it('rule 48: a paused schedule ends with its last period, paid or not', () => {
    const paid = confirmed({ interval: 'monthly', maxPeriods: 1 });
    const unpaid = confirmed({ interval: 'monthly', maxPeriods: 1 });
    for (const run of [paid, unpaid]) {
      run.send({ type: 'merchant.paused' });
      expect(run.leaf()).toBe('paused');
    }
    paid.send({ type: 'payment.completed', periodNo: 1, transactionId: 'txn_1' });
    unpaid.passTo(CREATED_AT + 7 * DAY_MS);
    expect([paid, unpaid].map((run) => run.settled.at(-1)?.outcome)).toEqual(['paid', 'unpaid']);
    expect([paid, unpaid].map((run) => run.leaf())).toEqual(['ended.finished', 'ended.finished']);
  });

  it('stays paused while another period is to come', () => {
    const run = confirmed({ interval: 'monthly', maxPeriods: 2 });
    run.send({ type: 'merchant.paused' });
    run.send({ type: 'payment.completed', periodNo: 1, transactionId: 'txn_1' });
    expect(run.leaf()).toBe('paused');
  });

  it('rule 48: ends once: later events change nothing', () => {
    const run = confirmed();
    run.send({ type: 'merchant.cancelled' });
    run.send({ type: 'mail.bounced' });
    run.send({ type: 'customer.stopped' });
    expect(run.leaf()).toBe('ended.cancelled');
    expect(run.notifications.map(({ event }) => event)).toEqual(['recurring.confirmed']);
  });

  it('accepts the payment of the period that was awaited when it was stopped', () => {
    const run = confirmed();
    run.send({ type: 'customer.stopped' });
    run.send({ type: 'payment.completed', periodNo: 1, transactionId: 'txn_1' });
    expect(run.notifications.map(({ event }) => event)).toEqual([
      'recurring.confirmed',
      'recurring.stopped',
      'recurring.payment.completed',
    ]);
  });
});

// Helpers

function confirmed(terms: Parameters<typeof startSchedule>[0] = { interval: 'monthly' }): ScheduleRun {
  const run = startSchedule(terms);
  run.send({ type: 'customer.confirmed' });
  return run;
}
