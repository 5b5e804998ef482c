import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { latestStart } from '../../../machines/delivery/retry-policy.ts';
import { DAY_MS, deliveryMachine, MINUTE_MS, RESPONSE_OVERDUE_MS } from '../../../machines/index.ts';
import { itKeepsTheRulesOfForm } from '../chart-hygiene.ts';
import { CREATED_AT, DELIVERY, deferred, failed, probeFailed, startDelivery, succeeded } from './delivery-run.ts';

describe('the delivery chart', () => {
  itKeepsTheRulesOfForm(deliveryMachine, ['sender', 'timer', 'merchant']);
});

describe('a delivery', () => {
  it('sends the first attempt immediately and expects its response', () => {
    const run = startDelivery();
    expect(run.sent).toEqual([1]);
    expect([...run.timers]).toEqual([['answer_overdue', CREATED_AT + RESPONSE_OVERDUE_MS]]);
  });

  it('ends with the first success and leaves no timer behind', () => {
    const run = startDelivery();
    run.send(succeeded(1, CREATED_AT + 50));
    expect(run.leaf()).toBe('delivered');
    expect(run.timers.size).toBe(0);
    expect(run.context()).toMatchObject({ endedAt: CREATED_AT + 50, timerDueAt: null, lastFailure: null });
  });

  it('that was made before the start ends there as if it had been reported, and asks for nothing', () => {
    const ends = fc.record({ status: fc.integer({ min: 200, max: 299 }), earlierAttempts: fc.nat({ max: 20 }) });
    fc.assert(
      fc.property(ends, ({ status, earlierAttempts }) => {
        const terms = { ...DELIVERY, earlierAttempts };
        const reported = startDelivery(terms);
        reported.send(succeeded(earlierAttempts + 1, CREATED_AT));
        const atOnce = startDelivery({ ...terms, owedSince: CREATED_AT - 50, deliveredStatus: status });
        expect(atOnce.leaf()).toBe(reported.leaf());
        const { owedSince: _, deliveredStatus, ...context } = atOnce.context();
        expect(context).toEqual(reported.context());
        expect(deliveredStatus).toBe(status);
        expect([atOnce.sent, [...atOnce.timers]]).toEqual([[], []]);
      }),
    );
  });

  it('that is with a sender already is not sent at its start, and is when the sender goes silent or fails', () => {
    const terms = { ...DELIVERY, owedSince: CREATED_AT - 50 };
    const silent = startDelivery(terms);
    expect(silent.sent).toEqual([]);
    silent.send({ type: 'timer.answer_overdue', at: silent.dueAt(), dueAt: silent.dueAt() });
    expect(silent.sent).toEqual([1]);
    for (const [outcome, attempt] of [
      [failed(1, CREATED_AT + 50), 2],
      [deferred(1, CREATED_AT + 50, CREATED_AT + 60), 1],
    ] as const) {
      const run = startDelivery(terms);
      run.send(outcome);
      run.send({ type: 'timer.retry_due', at: run.dueAt(), dueAt: run.dueAt() });
      expect(run.sent).toEqual([attempt]);
    }
  });

  it('counts its 24 hours from when it was owed, not from its start', () => {
    const run = startDelivery({ ...DELIVERY, owedSince: CREATED_AT - DAY_MS });
    run.send(failed(1, CREATED_AT));
    expect(run.leaf()).toBe('failed');
  });

  it('remembers why the last attempt failed and when the next one is due', () => {
    const run = startDelivery();
    run.send(failed(1, CREATED_AT + 50));
    expect(run.leaf()).toBe('waiting');
    expect(run.context()).toMatchObject({ lastFailure: { kind: 'status', status: 503 }, timerDueAt: run.dueAt() });
  });

  it('sends the same attempt again when its sender has stopped responding', () => {
    const run = startDelivery();
    const silent = CREATED_AT + RESPONSE_OVERDUE_MS;
    run.send({ type: 'timer.answer_overdue', at: silent, dueAt: silent });
    expect(run.sent).toEqual([1, 1]);
    expect(run.dueAt()).toBe(silent + RESPONSE_OVERDUE_MS);
  });

  it('is given up when no sender has responded for three days, and after an outage is sent once more first', () => {
    for (const outageMs of [0, 10 * DAY_MS]) {
      const run = startDelivery();
      let repeats = 0;
      for (let now = CREATED_AT + outageMs; run.leaf() === 'sending' && repeats < 1_000; repeats += 1) {
        now = Math.max(now, run.dueAt());
        run.send({ type: 'timer.answer_overdue', at: now, dueAt: run.dueAt() });
      }
      expect(run.leaf()).toBe('failed');
      expect(run.timers.size).toBe(0);
      expect(run.sent.length).toBe(outageMs === 0 ? (3 * DAY_MS) / RESPONSE_OVERDUE_MS : 2);
      expect(run.context().endedAt).toBeGreaterThanOrEqual(CREATED_AT + 3 * DAY_MS);
    }
  });

  it('does not repeat an attempt on the overdue timer of the previous one', () => {
    const run = startDelivery();
    const overdue = run.dueAt();
    run.send(failed(1, overdue - 1));
    const retry = run.dueAt();
    run.send({ type: 'timer.retry_due', at: retry, dueAt: retry });
    run.send({ type: 'timer.answer_overdue', at: retry, dueAt: overdue });
    expect(run.sent).toEqual([1, 2]);
  });

  it('does not shorten a pause on the retry timer of the previous one', () => {
    const run = startDelivery();
    run.send(failed(1, CREATED_AT));
    const first = run.dueAt();
    run.send({ type: 'timer.retry_due', at: first, dueAt: first });
    run.send(failed(2, first));
    run.send({ type: 'timer.retry_due', at: first, dueAt: first });
    expect(run.leaf()).toBe('waiting');
    expect(run.sent).toEqual([1, 2]);
  });

  it('ignores failures of finished attempts', () => {
    const run = startDelivery();
    run.send(failed(1, CREATED_AT));
    const retry = run.dueAt();
    run.send({ type: 'timer.retry_due', at: retry, dueAt: retry });
    run.send(failed(1, retry));
    expect(run.leaf()).toBe('sending');
    expect(run.context().attempt).toBe(2);
  });

  it('completes with a late success while the next attempt is waiting or in progress', () => {
    for (const isInProgress of [false, true]) {
      const run = startDelivery();
      run.send(failed(1, CREATED_AT));
      const retry = run.dueAt();
      if (isInProgress) run.send({ type: 'timer.retry_due', at: retry, dueAt: retry });
      run.send(succeeded(1, retry));
      expect(run.leaf()).toBe('delivered');
      expect(run.timers.size).toBe(0);
      expect(run.context()).toMatchObject({
        attempt: isInProgress ? 2 : 1,
        made: isInProgress ? 2 : 1,
        endedAt: retry,
      });
    }
  });

  it('counts a successful attempt after another sender reported that it was not made', () => {
    const run = startDelivery();
    run.send(deferred(1, CREATED_AT, CREATED_AT + MINUTE_MS));
    run.send(succeeded(1, CREATED_AT + 1));
    expect(run.leaf()).toBe('delivered');
    expect(run.timers.size).toBe(0);
    expect(run.context()).toMatchObject({ attempt: 1, made: 1, endedAt: CREATED_AT + 1 });
  });

  it('continues the numbers of earlier deliveries of the same event, with a full schedule of its own', () => {
    const run = startDelivery({ ...DELIVERY, earlierAttempts: 10 });
    expect(run.sent).toEqual([11]);
    expect(run.context().made).toBe(1);
  });

  it('returns the number of an attempt that was not made, and waits as long as the endpoint is held back', () => {
    const run = startDelivery();
    const until = CREATED_AT + 7 * MINUTE_MS;
    run.send(deferred(1, CREATED_AT + 1, until));
    expect(run.leaf()).toBe('waiting');
    expect(run.dueAt()).toBe(until);
    expect(run.context()).toMatchObject({ attempt: 0, made: 0, lastFailure: { kind: 'held_back' } });
    run.send({ type: 'timer.retry_due', at: until, dueAt: until });
    expect(run.sent).toEqual([1, 1]);
  });

  it('does not count a probe, whose number stays used', () => {
    const run = startDelivery();
    const until = CREATED_AT + MINUTE_MS;
    run.send(probeFailed(1, CREATED_AT + 1, until));
    expect(run.context()).toMatchObject({ attempt: 1, made: 0, lastFailure: { kind: 'status' } });
    run.send({ type: 'timer.retry_due', at: until, dueAt: until });
    expect(run.sent).toEqual([1, 2]);
    run.send(failed(2, until));
    expect(run.dueAt()).toBe(until + 10_000);
  });

  it('is held back only as long as all ten attempts still fit into its day', () => {
    const run = startDelivery();
    run.send(deferred(1, CREATED_AT + 1, CREATED_AT + 2 * DAY_MS));
    const latest = run.dueAt();
    expect(latest).toBe(latestStart(CREATED_AT, 0));
    expect(run.isOverdue()).toBe(false);
    run.send({ type: 'timer.retry_due', at: latest, dueAt: latest });
    expect([run.sent, run.isOverdue()]).toEqual([[1, 1], true]);
    run.send({ type: 'timer.answer_overdue', at: latest + RESPONSE_OVERDUE_MS, dueAt: latest + RESPONSE_OVERDUE_MS });
    expect(run.isOverdue()).toBe(true);
  });

  it('stays overdue when an overdue attempt is sent again, although the next one would have more time', () => {
    const run = startDelivery();
    let now = CREATED_AT;
    for (const attempt of [1, 2, 3, 4]) {
      run.send(failed(attempt, now));
      now = run.dueAt();
      run.send({ type: 'timer.retry_due', at: now, dueAt: now });
    }
    run.send(deferred(5, now, CREATED_AT + 2 * DAY_MS));
    const latest = run.dueAt();
    expect(latest).toBe(latestStart(CREATED_AT, 4));
    run.send({ type: 'timer.retry_due', at: latest, dueAt: latest });
    const silent = run.dueAt();
    run.send({ type: 'timer.answer_overdue', at: silent, dueAt: silent });
    expect([run.sent.slice(-2), run.isOverdue()]).toEqual([[5, 5], true]);
  });

  it('fails immediately when webhooks are not sent to its address', () => {
    const run = startDelivery();
    const failure = { kind: 'blocked', status: null, detail: 'a private address' } as const;
    run.send({ type: 'sender.attempt_failed', at: CREATED_AT, attempt: 1, failure, jitter: 0 });
    expect(run.leaf()).toBe('failed');
    expect(run.timers.size).toBe(0);
    expect(run.context()).toMatchObject({ made: 1, lastFailure: failure });
  });

  it('fails when no sender had room for it for a whole day', () => {
    const run = startDelivery();
    const latest = latestStart(CREATED_AT, 0);
    run.send(deferred(1, CREATED_AT + 1, latest));
    const horizon = CREATED_AT + DAY_MS;
    for (let due = run.dueAt(); due < horizon; due = run.dueAt()) {
      run.send({ type: 'timer.retry_due', at: due, dueAt: due });
      run.send(deferred(1, due, CREATED_AT + 2 * DAY_MS));
    }
    expect(run.dueAt()).toBe(horizon);
    run.send({ type: 'timer.retry_due', at: horizon, dueAt: horizon });
    run.send(deferred(1, horizon, horizon + MINUTE_MS));
    expect(run.leaf()).toBe('failed');
    expect(run.context()).toMatchObject({ attempt: 0, lastFailure: { kind: 'held_back' } });
  });

  it('makes its next attempt immediately on request, even to an endpoint that is held back', () => {
    const run = startDelivery();
    run.send(failed(1, CREATED_AT));
    run.send({ type: 'merchant.redelivery_requested', at: CREATED_AT + 1 });
    expect(run.leaf()).toBe('sending');
    expect([...run.timers.keys()]).toEqual(['answer_overdue']);
    expect(run.sent).toEqual([1, 2]);
    expect(run.requested).toEqual([2]);
  });

  it('makes its first attempt on request even to an endpoint that is held back', () => {
    const run = startDelivery({ ...DELIVERY, earlierAttempts: 10, isRequested: true });
    run.send(failed(11, CREATED_AT));
    const retry = run.dueAt();
    run.send({ type: 'timer.retry_due', at: retry, dueAt: retry });
    expect(run.sent).toEqual([11, 12]);
    expect(run.requested).toEqual([11]);
  });

  it('leaves no retry timer behind when one from before a redelivery fires late', () => {
    const run = startDelivery();
    run.send(deferred(1, CREATED_AT, CREATED_AT + MINUTE_MS));
    run.send({ type: 'merchant.redelivery_requested', at: CREATED_AT });
    run.send(failed(1, CREATED_AT));
    run.send({ type: 'timer.retry_due', at: CREATED_AT + MINUTE_MS, dueAt: CREATED_AT + MINUTE_MS });
    expect(run.leaf()).toBe('sending');
    expect([...run.timers.keys()]).toEqual(['answer_overdue']);
  });
});
