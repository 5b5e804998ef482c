import { describe, expect, it } from 'vitest';
import { seenBaseUnits, type TransactionEvent } from '../../../machines/index.ts';
import { play, webhooksOf } from './actor-run.ts';
import { balanceDropped, deadlinePassed, lossSettled, WINDOW_CLOSED } from './chart-events.ts';
import { confirmed, dropped, IN_TIME, LATE, mined, seen } from './observations.ts';
import { DEADLINE_MS, DUE, SETTLES_MS } from './terms.ts';

const HALF = DUE / 2n;
const LOSS_SETTLED = lossSettled(LATE + SETTLES_MS);
const DEADLINE_PASSED = deadlinePassed(IN_TIME + DEADLINE_MS);
const DISMISSED: TransactionEvent = { type: 'merchant.dismissed', at: LATE, by: 'usr_example' };
const REJECTED: TransactionEvent = { type: 'merchant.rejected', at: IN_TIME, by: 'usr_example' };

describe('a loss within the tolerance', () => {
  const FIVE_PERCENT = { toleranceBaseUnits: (DUE / 20n).toString() };

  it('alerts when the payment was completed with the least that pays it', () => {
    const paid = [
      confirmed({ id: 'a', amount: DUE - DUE / 10n, order: 1 }),
      confirmed({ id: 'b', amount: DUE / 20n, order: 2 }),
    ];
    const run = play([...paid, dropped({ id: 'b', amount: DUE / 20n, order: 3, reason: 'reorged' })], FIVE_PERCENT);
    expect(run.view().leaf).toBe('completed');
    expect(run.alerts.map(({ alert }) => alert)).toEqual(['completed_payment_lost']);
  });

  it('alerts when it is all that a merchant accepted', () => {
    const little = { id: 'a', amount: DUE / 25n, firstSeenAt: LATE };
    const accepted: TransactionEvent = { type: 'merchant.marked_paid', at: LATE + 1, by: 'usr_example' };
    const run = play(
      [WINDOW_CLOSED, seen({ ...little, order: 1 }), accepted, dropped({ ...little, order: 2, reason: 'replaced' })],
      FIVE_PERCENT,
    );
    expect(run.view().leaf).toBe('completed');
    expect(run.alerts.map(({ alert }) => alert)).toEqual(['completed_payment_lost']);
  });
});

describe('coins that appear and vanish', () => {
  it('stay gone when their loss is reported before their sighting', () => {
    const run = play([dropped({ order: 2 }), seen({ order: 1 })]);
    expect(run.view().leaf).toBe('open.awaitingPayment');
    expect(seenBaseUnits(run.view().context)).toBe(0n);
  });

  it('complete the payment in one step when their confirmation is their first report', () => {
    const run = play([confirmed({ order: 1 })]);
    expect(run.view().leaf).toBe('completed');
    expect(webhooksOf(run)).toEqual(['payment.created', 'payment.pending', 'payment.completed']);
  });

  it('rule 8: gone briefly after the window, near an old deadline, do not fail it, and complete when found again', () => {
    const gone = [seen({ order: 1 }), WINDOW_CLOSED, dropped({ order: 2, reason: 'evicted' })];
    const away = play(gone);
    expect(away.view().leaf).toBe('confirming');
    expect(away.timers.has('confirmation_deadline_passed')).toBe(false);
    expect(away.timers.has('loss_settled')).toBe(true);
    const back = play([...gone, confirmed({ order: 3 })]);
    expect(back.view().leaf).toBe('completed');
    expect(webhooksOf(back)).not.toContain('payment.failed');
  });

  it('leave the rest counted when one of two is replaced after the window', () => {
    const run = play([
      seen({ id: 'kept', amount: HALF, order: 1 }),
      seen({ id: 'lost', amount: HALF, order: 2 }),
      WINDOW_CLOSED,
      dropped({ id: 'lost', amount: HALF, order: 3, reason: 'replaced' }),
      LOSS_SETTLED,
    ]);
    expect(run.view().leaf).toBe('expired.watching');
    expect(seenBaseUnits(run.view().context)).toBe(HALF);
  });

  it.each([
    ['before', [0, 1]],
    ['after', [1, 0]],
  ])('complete the payment when a fee bump after the close is processed %s the loss it causes', (_, order) => {
    const bumped = { id: 'bumped', firstSeenAt: LATE, spends: ['coin:0'] };
    const first = { id: 'first', spends: ['coin:0'] };
    const events = [seen({ ...bumped, order: 2 }), dropped({ ...first, order: 3, reason: 'replaced' })];
    const run = play([
      seen({ ...first, order: 1 }),
      WINDOW_CLOSED,
      ...order.map((index) => events[index] as TransactionEvent),
      LOSS_SETTLED,
      confirmed({ ...bumped, order: 4 }),
    ]);
    expect(run.view().leaf).toBe('completed');
    expect(webhooksOf(run)).toEqual(['payment.created', 'payment.pending', 'payment.completed']);
  });

  it('count as in time when a reorg moves the log of a token transfer to another index', () => {
    const moved = { ...seen({ id: 'a', order: 3, firstSeenAt: LATE }), outputId: 'a:1' };
    for (const settled of [[], [LOSS_SETTLED]]) {
      const run = play([
        seen({ order: 1 }),
        WINDOW_CLOSED,
        dropped({ order: 2, reason: 'reorged' }),
        ...settled,
        moved,
      ]);
      expect(run.view().leaf).toBe('confirming');
    }
  });

  it('raise the alert again when they return after a deep reorg and are lost once more', () => {
    const run = play([confirmed({ order: 1 }), dropped({ order: 2, reason: 'reorged' })]);
    expect(run.alerts.length).toBe(1);
    run.send(seen({ order: 3 }));
    run.send(dropped({ order: 4 }));
    expect(run.alerts.map((alert) => alert.alert)).toEqual(['completed_payment_lost', 'completed_payment_lost']);
    expect(run.view().leaf).toBe('completed');
  });

  it('rule 26: are reported as overpaid again only when the confirmed sum reaches a new maximum', () => {
    const run = play([
      confirmed({ id: 'due', order: 1 }),
      confirmed({ id: 'extra', order: 2 }),
      dropped({ id: 'extra', order: 3, reason: 'reorged' }),
      confirmed({ id: 'extra', order: 4, branch: 'fork' }),
    ]);
    expect(webhooksOf(run).filter((event) => event === 'payment.overpaid').length).toBe(1);
    run.send(confirmed({ id: 'more', amount: 1n, order: 5 }));
    expect(webhooksOf(run).filter((event) => event === 'payment.overpaid').length).toBe(2);
  });
});

describe('a payment that failed because its coins were lost', () => {
  const failed = [
    seen({ id: 'lost', order: 1 }),
    WINDOW_CLOSED,
    dropped({ id: 'lost', order: 2, reason: 'reorged' }),
    LOSS_SETTLED,
  ];
  const late = { id: 'late', amount: 1n, firstSeenAt: LATE };
  const part = seen({ id: 'part', amount: HALF, order: 4 });

  it('is expired and no longer failed when part of its coins is found again', () => {
    const { leaf, context } = play([...failed, part]).view();
    expect(leaf).toBe('expired.watching');
    expect(context).toMatchObject({ failedAt: null, failedBy: null });
  });

  it('completes without a failure when late coins arrive before its own coins are found again', () => {
    const run = play([...failed, seen({ ...late, order: 3 })]);
    expect(run.view().leaf).toBe('expired.paidLate');
    run.send(confirmed({ id: 'lost', order: 4 }));
    expect(run.view().leaf).toBe('completed');
    expect(run.view().context).toMatchObject({ failedAt: null, failedBy: null });
  });

  it('ends the same whether late coins appear and vanish before or after part of its coins is found again', () => {
    const come = seen({ ...late, order: 3 });
    const go = dropped({ ...late, order: 5 });
    const ends = [
      [come, part, go],
      [part, come, go],
    ].map((events) => play([...failed, ...events]).view());
    for (const { leaf, context } of ends) {
      expect(leaf).toBe('expired.watching');
      expect(context).toMatchObject({ failedAt: null, failedBy: null });
    }
  });
});

describe('coins that arrive after a decision', () => {
  it('require a new decision after a dismissal, and send payment.paid_late again', () => {
    const run = play([WINDOW_CLOSED, seen({ id: 'one', order: 1, firstSeenAt: LATE }), DISMISSED]);
    expect(run.view().leaf).toBe('expired.watching');
    run.send(seen({ id: 'two', order: 2, firstSeenAt: LATE + 1 }));
    expect(run.view().leaf).toBe('expired.paidLate');
    expect(webhooksOf(run).filter((event) => event === 'payment.paid_late').length).toBe(2);
  });

  it('require no new decision when the dismissed ones are mined and confirmed', () => {
    const late = { id: 'one', firstSeenAt: LATE };
    const run = play([WINDOW_CLOSED, seen({ ...late, order: 1 }), DISMISSED]);
    run.send(mined({ ...late, order: 2 }));
    run.send(confirmed({ ...late, order: 3 }));
    expect(run.view().leaf).toBe('expired.watching');
  });

  it('stay dismissed when coins in time surface, fail, and the dismissed ones confirm afterwards', () => {
    const deadline = LATE + DEADLINE_MS;
    const run = play([
      WINDOW_CLOSED,
      seen({ id: 'dismissed', order: 1, firstSeenAt: LATE }),
      DISMISSED,
      seen({ id: 'surfaced', order: 2 }),
      deadlinePassed(deadline),
    ]);
    expect(run.view().leaf).toBe('failed');
    run.send(confirmed({ id: 'dismissed', order: 3, firstSeenAt: LATE }));
    expect(run.view().leaf).toBe('failed');
  });

  it('stay a failure after a rejection when the rejected coins confirm', () => {
    const run = play([seen({ amount: HALF, order: 1 }), balanceDropped(IN_TIME), REJECTED]);
    run.send(mined({ amount: HALF, order: 2 }));
    run.send(confirmed({ amount: HALF, order: 3 }));
    expect(run.view().leaf).toBe('failed');
  });

  it('end no review when they are less than what is missing and do not pay the transaction', () => {
    const missing = balanceDropped(IN_TIME, DUE);
    const run = play([missing, mined({ id: 'dust', amount: 1n, order: 1 })]);
    expect(run.view().leaf).toBe('open.inReview');
    run.send(mined({ id: 'rest', amount: DUE - 1n, order: 2 }));
    expect(run.view().leaf).toBe('confirming');
  });

  it('do not reopen the payment after a rejection, although they were in time and pay all of it', () => {
    const run = play([seen({ amount: HALF, order: 1 }), balanceDropped(IN_TIME), REJECTED]);
    run.send(seen({ id: 'whole', order: 2 }));
    run.send(confirmed({ id: 'whole', order: 3 }));
    expect(run.view().leaf).toBe('failed');
    expect(webhooksOf(run).at(-1)).toBe('payment.failed');
  });

  it('require a decision immediately after a rejection when they are new and late', () => {
    const run = play([balanceDropped(IN_TIME), REJECTED, seen({ order: 1, firstSeenAt: LATE })]);
    expect(run.view().leaf).toBe('expired.paidLate');
  });

  it('never complete a payment automatically after its deadline', () => {
    const run = play([seen({ order: 1 }), WINDOW_CLOSED, DEADLINE_PASSED, confirmed({ order: 3 })]);
    expect(run.view().leaf).toBe('expired.paidLate');
    run.send(confirmed({ id: 'more', order: 4 }));
    expect(run.view().leaf).toBe('expired.paidLate');
  });

  it('decisions of another kind are ignored: they count only where they are requested', () => {
    const run = play([seen({ order: 1 })]);
    for (const type of ['marked_paid', 'dismissed', 'confirmed', 'rejected'] as const) {
      const { before, after, effects } = run.send({ type: `merchant.${type}`, at: LATE, by: 'usr_example' });
      expect(after).toEqual(before);
      expect(effects).toEqual([]);
    }
  });
});
