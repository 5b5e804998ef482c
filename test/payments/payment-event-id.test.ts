import { describe, expect, test } from 'vitest';
import type { TransactionEvent } from '../../machines/index.ts';
import { paymentEventId } from '../../src/payments/projection/webhook-events.ts';
import { startRun } from '../machines/transaction/actor-run.ts';
import { confirmed, IN_TIME, seen } from '../machines/transaction/observations.ts';
import { DUE, TERMS } from '../machines/transaction/terms.ts';

const PART = DUE / 4n;
const part = seen({ id: 'part', amount: PART, order: 1 });
const whole = confirmed({ id: 'whole', order: 5 });
const more = confirmed({ id: 'more', amount: PART, order: 6 });

describe('after a restore, the next event of a payment', () => {
  test('has another id if it is partly paid with another sum', () => {
    const lost = eventsOf([part]).at(-1);
    const restored = eventsOf([seen({ id: 'other', amount: 2n * PART, order: 1 })]).at(-1);
    expect(lost).toMatchObject({ event: 'payment.partial', sequence: 2 });
    expect(restored).toMatchObject({ event: 'payment.partial', sequence: 2 });
    expect(restored?.id).not.toBe(lost?.id);
  });

  test('has another id if it is overpaid with another sum', () => {
    const lost = eventsOf([whole, more]).at(-1);
    const restored = eventsOf([whole, confirmed({ id: 'most', amount: 2n * PART, order: 6 })]).at(-1);
    expect(lost).toMatchObject({ event: 'payment.overpaid', sequence: 4 });
    expect(restored).toMatchObject({ event: 'payment.overpaid', sequence: 4 });
    expect(restored?.id).not.toBe(lost?.id);
  });

  test('keeps its id if the same happens again, whenever that is', () => {
    const later = { at: IN_TIME + 1 };
    expect(eventsOf([{ ...part, ...later }])).toEqual(eventsOf([part]));
    const again = [whole, more].map((each) => ({ ...each, ...later }));
    expect(eventsOf(again)).toEqual(eventsOf([whole, more]));
  });

  test('keeps its id if coins other than those it reports are different', () => {
    expect(eventsOf([part, whole]).at(-1)?.id).toBe(eventsOf([{ ...part, amountBaseUnits: '7' }, whole]).at(-1)?.id);
  });

  test('keeps its id if it is completed after more or fewer events than before', () => {
    const completedOf = (events: readonly TransactionEvent[]) =>
      eventsOf(events).filter(({ event }) => event === 'payment.completed');
    const [longer, shorter] = [completedOf([part, whole]), completedOf([whole])];
    expect([longer, shorter].flat().map(({ sequence }) => sequence)).toEqual([4, 3]);
    expect(longer[0]?.id).toBe(shorter[0]?.id);
  });
});

// Helpers

/** The webhook events of a payment that receives these events. */
function eventsOf(events: readonly TransactionEvent[]) {
  const run = startRun(TERMS);
  const steps = [run.opening, ...events.map((event) => run.send(event))];
  return steps.flatMap(({ effects, after }) =>
    effects.flatMap((effect) => {
      if (effect.type !== 'notifyMerchant') return [];
      const { event, sequence } = effect.params;
      return [{ event, sequence, id: paymentEventId(TERMS.transactionId, effect.params, after.context) }];
    }),
  );
}
