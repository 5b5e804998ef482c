import { describe, expect, it } from 'vitest';
import { ANSWER_OVERDUE_MS, deliveryMachine } from '../../../machines/index.ts';
import { itKeepsTheRulesOfForm } from '../chart-hygiene.ts';
import { CREATED_AT, DELIVERY, failed, startDelivery, succeeded } from './delivery-run.ts';

describe('the chart of a delivery', () => {
  itKeepsTheRulesOfForm(deliveryMachine, ['sender', 'timer']);
});

describe('a delivery', () => {
  it('sends the first attempt at once and expects its answer', () => {
    const run = startDelivery();
    expect(run.sent).toEqual([1]);
    expect([...run.timers]).toEqual([['answer_overdue', CREATED_AT + ANSWER_OVERDUE_MS]]);
  });

  it('ends with the first success and leaves no timer behind', () => {
    const run = startDelivery();
    run.send(succeeded(1, CREATED_AT + 50));
    expect(run.leaf()).toBe('delivered');
    expect(run.timers.size).toBe(0);
    expect(run.context()).toMatchObject({ endedAt: CREATED_AT + 50, timerDueAt: null, lastFailure: null });
  });

  it('remembers why the last attempt failed and when the next one is due', () => {
    const run = startDelivery();
    run.send(failed(1, CREATED_AT + 50));
    expect(run.leaf()).toBe('waiting');
    expect(run.context()).toMatchObject({ lastFailure: { kind: 'status', status: 503 }, timerDueAt: run.dueAt() });
  });

  it('sends the same attempt again when its sender has gone silent', () => {
    const run = startDelivery();
    const silent = CREATED_AT + ANSWER_OVERDUE_MS;
    run.send({ type: 'timer.answer_overdue', at: silent, dueAt: silent });
    expect(run.sent).toEqual([1, 1]);
    expect(run.dueAt()).toBe(silent + ANSWER_OVERDUE_MS);
  });

  it('does not repeat an attempt for the overdue timer of the one before', () => {
    const run = startDelivery();
    const overdue = run.dueAt();
    run.send(failed(1, overdue - 1));
    const retry = run.dueAt();
    run.send({ type: 'timer.retry_due', at: retry, dueAt: retry });
    run.send({ type: 'timer.answer_overdue', at: retry, dueAt: overdue });
    expect(run.sent).toEqual([1, 2]);
  });

  it('does not shorten a pause for the retry timer of the one before', () => {
    const run = startDelivery();
    run.send(failed(1, CREATED_AT));
    const first = run.dueAt();
    run.send({ type: 'timer.retry_due', at: first, dueAt: first });
    run.send(failed(2, first));
    run.send({ type: 'timer.retry_due', at: first, dueAt: first });
    expect(run.leaf()).toBe('waiting');
    expect(run.sent).toEqual([1, 2]);
  });

  it('ignores answers to attempts that are over', () => {
    const run = startDelivery();
    run.send(failed(1, CREATED_AT));
    const retry = run.dueAt();
    run.send({ type: 'timer.retry_due', at: retry, dueAt: retry });
    run.send(succeeded(1, retry));
    run.send(failed(1, retry));
    expect(run.leaf()).toBe('sending');
    expect(run.context().attempt).toBe(2);
  });

  it('counts on from earlier deliveries of the same event, with a full schedule of its own', () => {
    const run = startDelivery({ ...DELIVERY, earlierAttempts: 10 });
    expect(run.sent).toEqual([11]);
    expect(run.context().made).toBe(1);
  });
});
