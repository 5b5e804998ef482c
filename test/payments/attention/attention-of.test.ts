import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  HOUR_MS,
  MINUTE_MS,
  publicStateOf,
  seenNotDeclinedBaseUnits,
  type TransactionEvent,
} from '../../../machines/index.ts';
import { attentionOf, mayNeedAttention } from '../../../src/payments/attention/attention-of.ts';
import { startRun } from '../../machines/transaction/actor-run.ts';
import { firstSeen, history } from '../../machines/transaction/model/arbitraries.ts';
import type { OutputEvent } from '../../machines/transaction/model/model.ts';
import { confirmed, dropped, IN_TIME, LATE, mined, seen } from '../../machines/transaction/observations.ts';
import { CLOSES_AT, DEADLINE_MS, DUE, TERMS, TOLERANCE } from '../../machines/transaction/terms.ts';
import { assertProperty } from '../../support/run/fast-check.ts';
import { level } from '../../support/run/level.ts';

const CLOSED: TransactionEvent = { type: 'timer.window_closed', at: CLOSES_AT, dueAt: CLOSES_AT };
const TOO_LATE = CLOSES_AT + 6 * HOUR_MS + 1;
const MARKED_PAID: TransactionEvent = { type: 'merchant.marked_paid', at: LATE + 1, by: 'usr_1' };
const DISMISSED: TransactionEvent = { type: 'merchant.dismissed', at: LATE + 1, by: 'usr_1' };
const DROPPED: TransactionEvent = { type: 'chain.balance_dropped', at: IN_TIME, missingBaseUnits: '40' };
const HAPPENINGS: readonly TransactionEvent[] = [
  CLOSED,
  MARKED_PAID,
  DISMISSED,
  DROPPED,
  { type: 'merchant.confirmed', at: IN_TIME, by: 'usr_1' },
  { type: 'merchant.rejected', at: IN_TIME, by: 'usr_1' },
];

/** Items left after these events, as `kind amount`. */
function itemsAfter(...events: readonly TransactionEvent[]): string[] {
  const run = startRun(TERMS);
  for (const event of events) run.send(event);
  const { leaf, context } = run.view();
  return attentionOf(leaf, context).map(({ kind, baseUnits }) => `${kind} ${baseUnits}`);
}

describe('what needs attention in a payment', () => {
  test('is nothing during a normal payment, and nothing once it is paid', () => {
    expect(itemsAfter()).toEqual([]);
    expect(itemsAfter(seen({ order: 1, amount: DUE / 2n }))).toEqual([]);
    expect(itemsAfter(confirmed({ order: 1 }), CLOSED)).toEqual([]);
    expect(itemsAfter(confirmed({ order: 1, amount: DUE + TOLERANCE }), CLOSED)).toEqual([]);
    expect(itemsAfter(CLOSED)).toEqual([]);
  });

  test('underpaid coins at expiry, until the rest surfaces or they vanish', () => {
    const half = seen({ id: 'a', order: 1, amount: DUE / 2n });
    expect(itemsAfter(half, CLOSED)).toEqual([`underpaid ${DUE / 2n}`]);
    expect(itemsAfter(half, CLOSED, seen({ id: 'b', order: 2, amount: DUE / 2n }))).toEqual([]);
    expect(itemsAfter(half, CLOSED, dropped({ id: 'a', order: 2 }))).toEqual([]);
  });

  test('coins that a payment was completed with and that left the chain, until they come back', () => {
    const paid = confirmed({ id: 'a', order: 1 });
    expect(itemsAfter(paid, dropped({ id: 'a', order: 2 }))).toEqual([`coins_lost ${DUE}`]);
    expect(itemsAfter(paid, CLOSED, dropped({ id: 'a', order: 2 }), confirmed({ id: 'a', order: 3 }))).toEqual([]);
    // What is left still pays it.
    const more = confirmed({ id: 'b', order: 2, amount: DUE });
    expect(itemsAfter(paid, more, dropped({ id: 'b', order: 3 }))).toEqual([]);
    // Late coins that were accepted count as what was due.
    const late = confirmed({ id: 'c', order: 1, amount: 700n, firstSeenAt: LATE });
    expect(itemsAfter(CLOSED, late, MARKED_PAID, dropped({ id: 'c', order: 2 }))).toEqual(['coins_lost 700']);
  });

  test('late coins, which require a decision; coins in time keep their role', () => {
    const half = seen({ id: 'a', order: 1, amount: DUE / 2n });
    const late = seen({ id: 'b', order: 2, amount: 7n, firstSeenAt: LATE });
    expect(itemsAfter(half, CLOSED, late)).toEqual(['paid_late 7']);
    expect(itemsAfter(half, CLOSED, late, DISMISSED)).toEqual([`underpaid ${DUE / 2n}`]);
    expect(itemsAfter(CLOSED, late, DISMISSED)).toEqual([]);
    expect(itemsAfter(CLOSED, late, MARKED_PAID)).toEqual([]);
  });

  test('coins after the six hours, which cause no decision', () => {
    const late = seen({ id: 'a', order: 1, amount: 7n, firstSeenAt: LATE });
    const tooLate = seen({ id: 'b', order: 2, amount: 9n, firstSeenAt: TOO_LATE });
    expect(itemsAfter(CLOSED, tooLate)).toEqual(['coins_on_closed 9']);
    expect(itemsAfter(CLOSED, late, DISMISSED, tooLate)).toEqual(['coins_on_closed 9']);
  });

  test('what is confirmed beyond the amount due and the tolerance', () => {
    const more = confirmed({ id: 'b', order: 2, amount: TOLERANCE + 1n, firstSeenAt: LATE });
    expect(itemsAfter(confirmed({ order: 1 }), more)).toEqual([`overpaid ${TOLERANCE + 1n}`]);
    expect(itemsAfter(confirmed({ order: 1 }), seen({ id: 'b', order: 2, amount: DUE }))).toEqual([]);
  });

  test('coins that arrive after a user accepted an underpayment', () => {
    const late = confirmed({ id: 'a', order: 1, amount: DUE / 2n, firstSeenAt: LATE });
    const rest = confirmed({ id: 'b', order: 2, amount: DUE / 2n, firstSeenAt: TOO_LATE });
    const twice = confirmed({ id: 'b', order: 2, amount: DUE, firstSeenAt: TOO_LATE });
    expect(itemsAfter(CLOSED, late, MARKED_PAID)).toEqual([]);
    expect(itemsAfter(CLOSED, late, MARKED_PAID, rest)).toEqual([`coins_on_closed ${DUE / 2n}`]);
    expect(itemsAfter(CLOSED, late, MARKED_PAID, twice)).toEqual([`coins_on_closed ${DUE}`]);
  });

  test('a review, until a user or the chain ends it', () => {
    const by = { at: IN_TIME, by: 'usr_1' };
    expect(itemsAfter(DROPPED)).toEqual(['needs_review 40']);
    expect(itemsAfter(DROPPED, { type: 'merchant.confirmed', ...by })).toEqual([]);
    const some = confirmed({ order: 1, amount: 9n });
    expect(itemsAfter(some, DROPPED, { type: 'merchant.rejected', ...by })).toEqual([]);
    expect(itemsAfter(DROPPED, seen({ order: 1 }))).toEqual([]);
  });

  test('coins that were taken back and sent again too late: a decision, and nothing once they were dismissed', () => {
    const spends = ['coin:0'];
    const takenBack = [seen({ id: 'a', order: 1, spends }), dropped({ id: 'a', order: 2, spends }), CLOSED];
    const firstSeenAt = CLOSES_AT + DEADLINE_MS + 1;
    const again = confirmed({ id: 'b', order: 3, spends, firstSeenAt, at: firstSeenAt });
    expect(itemsAfter(...takenBack, again)).toEqual([`paid_late ${DUE}`]);
    const dismissed = { ...DISMISSED, at: firstSeenAt + 1 };
    expect(itemsAfter(...takenBack, again, dismissed)).toEqual([]);
    expect(itemsAfter(...takenBack, again, dismissed, { ...again, order: 4, at: firstSeenAt + 2 })).toEqual([]);
  });

  test('not the missing coins of a review that a user confirmed, when they are found: they were accepted with it', () => {
    const seenPart = confirmed({ id: 'a', order: 1, amount: 60_000n });
    const missing: TransactionEvent = { ...DROPPED, missingBaseUnits: '40000', expectedBaseUnits: '60000' };
    const accepted: TransactionEvent = { type: 'merchant.confirmed', at: IN_TIME + 1, by: 'usr_1' };
    const found = (amount: bigint) => confirmed({ id: 'b', order: 2, amount, at: IN_TIME + MINUTE_MS });
    expect(itemsAfter(seenPart, missing, accepted)).toEqual([]);
    expect(itemsAfter(seenPart, missing, accepted, found(40_000n))).toEqual([]);
    expect(itemsAfter(seenPart, missing, accepted, found(60_000n))).toEqual(['overpaid 20000']);
  });

  test('coins after an accepted underpayment, also when coins had ended a review before', () => {
    const some = confirmed({ id: 'a', order: 1, amount: 40n });
    const late = confirmed({ id: 'b', order: 2, amount: DUE / 2n, firstSeenAt: LATE });
    const more = confirmed({ id: 'c', order: 3, amount: DUE / 4n, firstSeenAt: TOO_LATE });
    expect(itemsAfter(DROPPED, some, CLOSED, late, MARKED_PAID, more)).toEqual([`coins_on_closed ${DUE / 4n}`]);
  });

  test('the confirmed coins of a failed payment; coins confirmed later require a decision', () => {
    const part = confirmed({ id: 'a', order: 1, amount: 60_000n });
    const rest = seen({ id: 'b', order: 2, amount: 40_000n });
    const dueAt = IN_TIME + DEADLINE_MS;
    const failed: TransactionEvent = { type: 'timer.confirmation_deadline_passed', at: dueAt + MINUTE_MS, dueAt };
    expect(itemsAfter(part, rest, failed)).toEqual(['underpaid 60000']);
    const after = confirmed({ id: 'b', order: 3, amount: 40_000n });
    expect(itemsAfter(part, rest, failed, after)).toEqual(['paid_late 40000']);
    expect(itemsAfter(part, rest, failed, after, DISMISSED)).toEqual(['underpaid 60000']);
    expect(itemsAfter(part, rest, failed, mined({ id: 'b', order: 3, amount: 40_000n }))).toEqual(['underpaid 60000']);
  });

  test('dismissed late coins are not part of the underpayment when the payment failed', () => {
    const part = confirmed({ id: 'a', order: 1, amount: 60_000n });
    const rest = seen({ id: 'b', order: 2, amount: 40_000n });
    const late = confirmed({ id: 'c', order: 3, amount: 30_000n, firstSeenAt: LATE });
    const dueAt = IN_TIME + DEADLINE_MS;
    const failed: TransactionEvent = { type: 'timer.confirmation_deadline_passed', at: dueAt + MINUTE_MS, dueAt };
    expect(itemsAfter(part, rest, CLOSED, late, failed)).toEqual(['paid_late 30000']);
    expect(itemsAfter(part, rest, CLOSED, late, failed, DISMISSED)).toEqual(['underpaid 60000']);
  });

  test('coins that arrive at a failed payment without an event', () => {
    const part = confirmed({ id: 'a', order: 1, amount: 60_000n });
    const rest = seen({ id: 'b', order: 2, amount: 40_000n });
    const dueAt = IN_TIME + DEADLINE_MS;
    const failed: TransactionEvent = { type: 'timer.confirmation_deadline_passed', at: dueAt + MINUTE_MS, dueAt };
    const tooLate = seen({ id: 'c', order: 4, amount: 9n, firstSeenAt: TOO_LATE });
    expect(itemsAfter(part, rest, failed, tooLate)).toEqual(['underpaid 60000', 'coins_on_closed 9']);
    const rejected: TransactionEvent = { type: 'merchant.rejected', at: IN_TIME, by: 'usr_1' };
    expect(itemsAfter(part, DROPPED, rejected)).toEqual([]);
    expect(itemsAfter(part, DROPPED, rejected, tooLate)).toEqual(['coins_on_closed 9']);
  });

  test('is the same for the same reasons in any order', () => {
    const observed = history({ sightings: firstSeen, losses: false }).map(withOneSighting);
    const reasons = observed.map((events) => [...events, CLOSED]);
    const orders = reasons.chain((events) =>
      fc.tuple(fc.constant(events), fc.shuffledSubarray(events, { minLength: events.length })),
    );
    assertProperty(
      fc.property(orders, ([straight, shuffled]) => {
        expect(itemsAfter(...shuffled)).toEqual(itemsAfter(...straight));
      }),
      { numRuns: level.runs(200) },
    );
  });

  test('never names lost coins, nor more than exist, nor anything when nothing is possible', () => {
    const events = fc.tuple(
      history({ sightings: firstSeen, losses: true }),
      fc.array(fc.tuple(fc.nat({ max: 12 }), fc.constantFrom(...HAPPENINGS)), { maxLength: 5 }),
    );
    assertProperty(
      fc.property(events, ([observed, others]) => {
        const reported: TransactionEvent[] = [...observed];
        for (const [index, event] of others) reported.splice(index, 0, event);
        const run = startRun(TERMS);
        for (const event of reported) {
          run.send(event);
          const { leaf, context } = run.view();
          const reasons = attentionOf(leaf, context);
          if (!mayNeedAttention(context)) expect(reasons).toEqual([]);
          const decided = reasons
            .map(({ kind }) => kind)
            .filter((kind) => kind === 'paid_late' || kind === 'needs_review');
          const { exception } = publicStateOf(leaf);
          expect(decided).toEqual(exception === null ? [] : [exception]);
          expect(new Set(reasons.map(({ kind }) => kind)).size).toBe(reasons.length);
          for (const { kind, baseUnits, outputIds } of reasons) {
            const about = context.outputs.filter(({ outputId }) => outputIds.includes(outputId));
            expect(about.every(({ presence }) => presence !== 'gone')).toBe(true);
            const sum = about.reduce((total, { amountBaseUnits }) => total + BigInt(amountBaseUnits), 0n);
            if (kind === 'coins_lost') {
              expect([reasons.length, outputIds, baseUnits > 0n && baseUnits <= DUE]).toEqual([1, [], true]);
              expect(seenNotDeclinedBaseUnits(context) + baseUnits).toBeLessThanOrEqual(DUE);
            } else expect(kind === 'needs_review' || (baseUnits > 0n && baseUnits <= sum), kind).toBe(true);
          }
        }
      }),
      { numRuns: level.runs(200) },
    );
  });
});

// Helpers

/**
 * As a watcher reports it: coins have one first sighting, whatever happens to them. A corrected
 * sighting may come after a completion.
 */
function withOneSighting(events: readonly OutputEvent[]): OutputEvent[] {
  const sightings = new Map<string, number>();
  return events.map((event) => {
    const firstSeenAt = sightings.get(event.outputId) ?? event.firstSeenAt;
    sightings.set(event.outputId, firstSeenAt);
    return { ...event, firstSeenAt };
  });
}
