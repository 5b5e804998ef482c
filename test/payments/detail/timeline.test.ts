import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PUBLIC_STATES, publicStateOf, type TransactionEvent } from '../../../machines/index.ts';
import { type TimelineSource, timelineOf } from '../../../src/payments/index.ts';
import { startRun } from '../../machines/transaction/actor-run.ts';
import { firstSeen, history } from '../../machines/transaction/model/arbitraries.ts';
import { confirmed, dropped, LATE, mined, seen } from '../../machines/transaction/observations.ts';
import { CLOSES_AT, OPENED_AT, TERMS } from '../../machines/transaction/terms.ts';
import { assertProperty } from '../../support/run/fast-check.ts';
import { level } from '../../support/run/level.ts';

const DETAILS = { crypto: 'LTC', confirmationsRequired: 2, startedBy: 'shop' } as const;
const CLOSED: TransactionEvent = { type: 'timer.window_closed', at: CLOSES_AT, dueAt: CLOSES_AT };
const DECIDED: TransactionEvent = {
  type: 'merchant.marked_paid',
  at: LATE + 9,
  by: 'usr_1',
  reason: 'a good customer',
};

/** One event of each type, so that a new type without a sentence fails here too. */
const ONE_OF_EACH: { readonly [T in TransactionEvent['type']]: Extract<TransactionEvent, { type: T }> } = {
  'chain.output_seen': seen({ order: 1 }) as Extract<TransactionEvent, { type: 'chain.output_seen' }>,
  'chain.output_mined': mined({ order: 2 }) as Extract<TransactionEvent, { type: 'chain.output_mined' }>,
  'chain.output_confirmed': confirmed({ order: 3 }) as Extract<TransactionEvent, { type: 'chain.output_confirmed' }>,
  'chain.output_dropped': dropped({ order: 4 }) as Extract<TransactionEvent, { type: 'chain.output_dropped' }>,
  'chain.balance_dropped': { type: 'chain.balance_dropped', at: OPENED_AT, missingBaseUnits: '5' },
  'timer.window_closed': { type: 'timer.window_closed', at: CLOSES_AT, dueAt: CLOSES_AT },
  'timer.confirmation_deadline_passed': { type: 'timer.confirmation_deadline_passed', at: LATE, dueAt: LATE },
  'timer.loss_settled': { type: 'timer.loss_settled', at: LATE, dueAt: LATE },
  'timer.verification_overdue': { type: 'timer.verification_overdue', at: LATE, dueAt: LATE },
  'timer.monitoring_ended': { type: 'timer.monitoring_ended', at: LATE, dueAt: LATE },
  'timer.depth_reached': { type: 'timer.depth_reached', at: LATE, height: 101 },
  'merchant.marked_paid': { type: 'merchant.marked_paid', at: LATE, by: 'usr_1' },
  'merchant.dismissed': { type: 'merchant.dismissed', at: LATE, by: 'usr_1' },
  'merchant.confirmed': { type: 'merchant.confirmed', at: LATE, by: 'usr_1' },
  'merchant.rejected': { type: 'merchant.rejected', at: LATE, by: 'usr_1' },
  'merchant.settled': { type: 'merchant.settled', at: LATE, by: 'usr_1', outputIds: ['a'] },
};

describe('the timeline of a payment', () => {
  test('shows who did what and the resulting status', () => {
    const late = seen({ order: 1, firstSeenAt: LATE });
    const reported = timelineOf(journalOf([CLOSED, late, DECIDED]), DETAILS);
    expect(reported.map(({ who, words, becomes }) => [who.kind, words, becomes?.status, becomes?.exception])).toEqual([
      ['shop', 'The payment was created and its rate locked', 'pending', null],
      ['clock', 'The payment window closed', 'expired', null],
      ['chain', '0.001 LTC was sent and is not in a block yet', 'expired', 'paid_late'],
      ['person', 'Accepted the late payment: marked as paid', 'completed', null],
    ]);
    expect(reported.at(-1)).toMatchObject({ who: { kind: 'person', userId: 'usr_1' }, reason: 'a good customer' });
    expect(reported[2]?.txid).toBe('a');
  });

  test.each([
    [{ surplusBaseUnits: '40000' }, 'Settled 0.0004 LTC as too much'],
    [{ lossBaseUnits: '100000' }, 'Settled the loss of 0.001 LTC'],
    [{}, 'Settled the coins that had arrived: they pay nothing any more'],
  ])('says what was settled: %j', (sums, words) => {
    const settled = { type: 'merchant.settled', at: LATE, by: 'usr_1', outputIds: ['a:0'], ...sums } as const;
    const isCompleted = Object.keys(sums).length > 0;
    const events = [isCompleted ? confirmed({ order: 1 }) : CLOSED, settled];
    expect(timelineOf(journalOf(events), DETAILS).map((entry) => entry.words)).toContain(words);
  });

  test('quotes the reasons of people, and not the codes of the network', () => {
    const reported = timelineOf(journalOf([seen({ order: 1 }), dropped({ order: 2 })]), DETAILS);
    expect(reported.at(-1)).toMatchObject({ who: { kind: 'chain' }, reason: null });
  });

  test('omits entries without news, but not a decision that came too late', () => {
    const reports = [
      seen({ order: 1 }),
      seen({ order: 2 }),
      mined({ order: 3 }),
      mined({ order: 4 }),
      confirmed({ order: 5 }),
    ];
    const reported = timelineOf(journalOf([...reports, DECIDED]), DETAILS);
    expect(reported.map(({ words }) => words)).toEqual([
      'The payment was created and its rate locked',
      '0.001 LTC was sent and is not in a block yet',
      '0.001 LTC is in block 100 and needs 2 confirmations',
      '0.001 LTC is confirmed',
      'Accepted the late payment: marked as paid; it arrived too late and changed nothing',
    ]);
  });

  test('omits a migration to another version of the chart, unless it changes the status', () => {
    const [started] = journalOf([]);
    if (started === undefined) throw new Error('a journal begins with its start');
    const event = {
      type: 'engine.migrated',
      from: '1',
      to: '2',
      snapshot: {},
      by: 'usr_operator',
      reason: 'for operators',
    };
    const migrated = { ...started, sequence: 2, eventId: 'engine.migrated:1:2', event };
    expect(timelineOf([started, migrated], DETAILS)).toHaveLength(1);
    const [, corrected] = timelineOf([started, { ...migrated, state: 'expired.watching' }], DETAILS);
    expect(corrected).toMatchObject({
      who: { kind: 'operator' },
      words: 'Moved to another version of the payment chart, which changed the status',
      reason: null,
      becomes: { status: 'expired' },
    });
  });

  test('names operators as such, and customers who created it themselves', () => {
    const journal = journalOf([CLOSED, seen({ order: 1, firstSeenAt: LATE }), DECIDED]).map((entry) =>
      entry.event.type === 'merchant.marked_paid' ? { ...entry, eventId: 'operator:1' } : entry,
    );
    const reported = timelineOf(journal, { ...DETAILS, startedBy: 'customer' });
    expect([reported[0]?.who, reported.at(-1)?.who]).toEqual([{ kind: 'customer' }, { kind: 'operator' }]);
  });

  test('has a sentence for every event, whatever it lacks, and marks unknown ones', () => {
    const types = Object.keys(ONE_OF_EACH) as TransactionEvent['type'][];
    const event = fc.oneof(
      fc.constantFrom(...types).map((type) => ({ ...ONE_OF_EACH[type] })),
      fc.constantFrom(...types).map((type) => ({ type })),
      fc.record({ type: fc.string() }, { noNullPrototype: true }),
      fc.constantFrom({ type: '__proto__' }, { type: 'constructor' }, { type: 'chain.unheard_of', outputId: 'x' }),
    );
    const entry = fc.record({
      event,
      outcome: fc.constantFrom('applied' as const, 'ignored' as const, 'failed' as const),
      state: fc.oneof(fc.constantFrom(...Object.keys(PUBLIC_STATES)), fc.string()),
      eventId: fc.string(),
    });
    assertProperty(
      fc.property(fc.array(entry, { maxLength: 12 }), (entries) => {
        const journal = entries.map((each, index) => ({ ...each, at: OPENED_AT + index, sequence: index + 1 }));
        const reported = timelineOf(journal, DETAILS);
        expect(reported.every(({ words }) => words !== '' && !/undefined|NaN|\[object/.test(words))).toBe(true);
        expect(reported.map(({ sequence }) => sequence)).toEqual(
          reported.map(({ sequence }) => sequence).toSorted((a, b) => a - b),
        );
      }),
      { numRuns: level.runs(300) },
    );
  });

  test('ends with the current status, and contains every status change once', () => {
    assertProperty(
      fc.property(history({ sightings: firstSeen, losses: true }), (observed) => {
        const journal = journalOf([...observed, CLOSED]);
        const changes = timelineOf(journal, DETAILS).flatMap(({ becomes }) => becomes ?? []);
        expect(changes.at(-1)).toEqual(publicStateOf(journal.at(-1)?.state ?? ''));
        const seenInJournal = journal.map(({ state }) => JSON.stringify(publicStateOf(state)));
        expect(changes.map((each) => JSON.stringify(each))).toEqual(
          seenInJournal.filter((state, index) => state !== seenInJournal[index - 1]),
        );
      }),
      { numRuns: level.runs(150) },
    );
  });

  test('counts one confirmation as one', () => {
    const [, entry] = timelineOf(journalOf([mined({ order: 1 })]), { ...DETAILS, confirmationsRequired: 1 });
    expect(entry).toMatchObject({
      words: '0.001 LTC is in block 100 and needs 1 confirmation',
    });
  });
});

// Helpers

/** The journal as the engine would write it. */
function journalOf(events: readonly TransactionEvent[]): TimelineSource[] {
  const run = startRun(TERMS);
  const started: TimelineSource = {
    sequence: 1,
    at: OPENED_AT,
    eventId: 'actor.started',
    event: { type: 'actor.started', input: {} },
    outcome: 'started',
    state: run.view().leaf,
  };
  const steps = events.map((event, index): TimelineSource => {
    const { after, before, effects } = run.send(event);
    const isIgnored = JSON.stringify(after) === JSON.stringify(before) && effects.length === 0;
    return {
      sequence: index + 2,
      at: event.at,
      eventId: `test:${index}`,
      event: { ...event },
      outcome: isIgnored ? 'ignored' : 'applied',
      state: after.leaf,
    };
  });
  return [started, ...steps];
}
