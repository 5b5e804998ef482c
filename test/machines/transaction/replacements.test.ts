import { describe, expect, it } from 'vitest';
import {
  DAY_MS,
  liveOutputs,
  seenBaseUnits,
  type TransactionEvent,
  type TransactionTerms,
} from '../../../machines/index.ts';
import { play } from './actor-run.ts';
import { lossSettled, WINDOW_CLOSED } from './chart-events.ts';
import { confirmed, dropped, LATE, mined, seen } from './observations.ts';
import { CLOSES_AT, DEADLINE_MS, DUE, SETTLES_MS } from './terms.ts';

const HALF = DUE / 2n;
const first = { id: 'first', order: 1, spends: ['coin:0', 'coin:1'] };
const bumped = { id: 'bumped', order: 2, firstSeenAt: LATE, spends: ['coin:0'] };

describe('a transaction that replaces one of the same payment', () => {
  it('has the first sighting of the original, and counts instead of it from the moment it is seen', () => {
    const { leaf, context } = play([seen(first), WINDOW_CLOSED, seen(bumped)]).view();
    expect(leaf).toBe('confirming');
    expect(seenBaseUnits(context)).toBe(DUE);
    expect(liveOutputs(context.outputs)).toMatchObject([
      { txid: 'bumped', firstSeenAt: CLOSES_AT - 60_000, ownSighting: { at: LATE, order: 2 } },
    ]);
  });

  it('never counts together with it, so a partial payment with a raised fee counts once', () => {
    const { leaf } = play([
      seen({ ...first, amount: HALF }),
      seen({ ...bumped, amount: HALF, firstSeenAt: CLOSES_AT }),
    ]).view();
    expect(leaf).toBe('open.partiallyPaid');
  });

  it('of a partial payment raises no paid_late before the loss of the first is processed', () => {
    const parts = [seen({ ...first, amount: HALF }), WINDOW_CLOSED, seen({ ...bumped, amount: HALF })];
    expect(play(parts).view().leaf).toBe('expired.watching');
    expect(play([...parts, dropped({ ...first, amount: HALF, order: 3 })]).view().leaf).toBe('expired.watching');
  });

  it('keeps that sighting through a chain of replacements, in any order of processing', () => {
    const again = { id: 'again', order: 3, firstSeenAt: LATE, spends: ['coin:5', 'coin:9'] };
    const linked = seen({ ...bumped, spends: ['coin:0', 'coin:5'] });
    for (const events of [
      [seen(first), linked, seen(again), WINDOW_CLOSED],
      [WINDOW_CLOSED, seen(again), linked, seen(first)],
      [linked, WINDOW_CLOSED, seen(first), seen(again)],
    ]) {
      const { leaf, context } = play(events).view();
      expect(leaf).toBe('confirming');
      expect(seenBaseUnits(context)).toBe(DUE);
    }
  });

  it('keeps it when the original returns after all, and is replaced once more', () => {
    const back = seen({ ...first, order: 3 });
    expect(play([seen(first), WINDOW_CLOSED, seen(bumped), back]).view().leaf).toBe('confirming');
    const { leaf } = play([seen(first), WINDOW_CLOSED, seen(bumped), back, confirmed({ ...bumped, order: 4 })]).view();
    expect(leaf).toBe('completed');
  });

  it('is new money for the excess it pays: a small sum sent in time keeps no rate open', () => {
    const small = seen({ ...first, amount: 1n });
    expect(play([small, WINDOW_CLOSED, seen(bumped)]).view().leaf).toBe('expired.paidLate');
    expect(play([WINDOW_CLOSED, seen(bumped), small]).view().leaf).toBe('expired.paidLate');
  });

  it('is new money for the excess over each of the transactions that replaced each other: they were one sum', () => {
    const small = seen({ ...first, amount: (DUE * 6n) / 10n });
    const larger = seen({ ...bumped, firstSeenAt: CLOSES_AT, amount: (DUE * 7n) / 10n });
    const full = seen({ ...bumped, id: 'full', order: 3 });
    for (const events of [
      [small, larger, WINDOW_CLOSED, full],
      [WINDOW_CLOSED, full, larger, small],
    ]) {
      expect(play(events).view().leaf).toBe('expired.paidLate');
    }
  });

  it('is the money of several that it replaces together, when these spend different coins', () => {
    const one = seen({ ...first, amount: HALF, spends: ['coin:0'] });
    const other = seen({ id: 'other', order: 2, amount: HALF, spends: ['coin:1'] });
    const both = seen({ ...bumped, id: 'both', order: 3, spends: ['coin:0', 'coin:1'] });
    expect(play([one, other, WINDOW_CLOSED, both]).view().leaf).toBe('confirming');
  });

  it('is new money where another replacement has used up the sum: no coin counts twice', () => {
    const half = seen({ ...first, amount: HALF });
    const one = seen({ ...bumped, amount: HALF });
    const two = seen({ ...bumped, id: 'second', order: 3, amount: HALF, spends: ['coin:1'] });
    for (const events of [
      [half, WINDOW_CLOSED, one, two],
      [WINDOW_CLOSED, two, one, half],
    ]) {
      const { leaf, context } = play(events).view();
      expect(leaf).toBe('expired.paidLate');
      const inTime = liveOutputs(context.outputs).filter(({ firstSeenAt }) => firstSeenAt <= context.expiresAt);
      expect(inTime.map(({ txid }) => txid)).toEqual(['bumped']);
    }
  });
});

describe('rule 2: a replacement of coins that were taken back', () => {
  const takenBack = [seen(first), dropped({ ...first, order: 2, reason: 'replaced' }), WINDOW_CLOSED];
  const sentAgain = (at: number) => confirmed({ id: 'again', order: 3, spends: ['coin:0'], firstSeenAt: at, at });
  const deadline = CLOSES_AT + DEADLINE_MS;

  it('is in time until the confirmation deadline after the window, and waits for a decision from then on', () => {
    expect(play([...takenBack, sentAgain(deadline)]).view().leaf).toBe('completed');
    for (const at of [deadline + 1, CLOSES_AT + 29 * DAY_MS]) {
      expect(play([...takenBack, sentAgain(at)]).view().leaf).toBe('expired.paidLate');
    }
  });

  it('waits for it in any order of processing, also when the loss made the payment fail', () => {
    const again = sentAgain(CLOSES_AT + 29 * DAY_MS);
    const [sent, gone] = [takenBack[0] as TransactionEvent, dropped({ ...first, order: 2, at: LATE })];
    const settled: TransactionEvent = { type: 'timer.loss_settled', at: deadline, dueAt: LATE + SETTLES_MS };
    for (const events of [
      [sent, WINDOW_CLOSED, gone, settled, again],
      [sent, WINDOW_CLOSED, gone, again, settled],
      [again, WINDOW_CLOSED, gone, sent],
      [gone, again, sent, WINDOW_CLOSED],
    ]) {
      expect(play(events).view().leaf).toBe('expired.paidLate');
    }
  });
});

describe('a transaction that shares no input with an earlier one', () => {
  it('stays late, even if the earlier one is gone', () => {
    const other = confirmed({ ...bumped, spends: ['coin:7'] });
    const gone = dropped({ ...first, order: 3 });
    const run = [seen(first), WINDOW_CLOSED, gone, other];
    const settled = lossSettled(LATE * 2);
    expect(play(run).view().leaf).toBe('confirming');
    expect(play([...run, settled]).view().leaf).toBe('expired.paidLate');
  });
});

describe('coins on Ethereum moved to another id by a reorg', () => {
  const part = { txid: 'moved', amount: (DUE * 6n) / 10n };
  const before = mined({ ...part, id: 'balance', order: 1, branch: 'main' });
  const after = mined({ ...part, id: 'internal', order: 2, branch: 'fork' });

  it('count once before the old id is dropped, in any order: a partial payment is never shown as paid', () => {
    for (const events of [
      [before, after],
      [after, before],
    ]) {
      const { leaf, context } = play(events, ON_ETHEREUM).view();
      expect(leaf).toBe('open.partiallyPaid');
      expect(liveOutputs(context.outputs)).toMatchObject([{ outputId: 'internal:0' }]);
    }
  });

  it('are matched one to one, however many equal ones one transaction has', () => {
    const half = { txid: 'moved', amount: HALF };
    const both = [1, 2].map((order) => mined({ ...half, id: `old-${order}`, order, branch: 'main' }));
    const again = [3, 4].map((order) => mined({ ...half, id: `new-${order}`, order, branch: 'fork' }));
    for (const events of [both, [...both, ...again.slice(0, 1)], [...both, ...again]]) {
      expect(seenBaseUnits(play(events, ON_ETHEREUM).view().context)).toBe(DUE);
    }
  });

  it('count again at the old place when the new one is gone', () => {
    const gone = dropped({ ...part, id: 'internal', order: 3, reason: 'reorged' });
    expect(liveOutputs(play([before, after, gone], ON_ETHEREUM).view().context.outputs)).toMatchObject([
      { outputId: 'balance:0' },
    ]);
  });

  it('are two payments where ids do not change: equal outputs of one Litecoin transaction', () => {
    expect(seenBaseUnits(play([before, after]).view().context)).toBe(2n * part.amount);
  });
});

// Helpers

const ON_ETHEREUM: Partial<TransactionTerms> = { crypto: 'ETH', network: 'ethereum-regtest' };
