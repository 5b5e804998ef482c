import { describe, expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS, type TransactionEvent } from '../../../machines/index.ts';
import { play } from './actor-run.ts';
import { balanceDropped, windowClosed } from './chart-events.ts';
import { confirmed, IN_TIME, mined } from './observations.ts';
import { CLOSES_AT, DUE } from './terms.ts';

const PART = (DUE * 8n) / 10n;
const REST = DUE - PART;
const PART_SEEN = IN_TIME - 5 * MINUTE_MS;
const part = { id: 'part', amount: PART, firstSeenAt: PART_SEEN };

describe('a second drop during a review', () => {
  const given = [mined({ ...part, order: 1 }), balanceDropped(IN_TIME - 2 * MINUTE_MS, 1_000n)];
  const second = balanceDropped(IN_TIME - MINUTE_MS, PART - 1_000n);

  it('rule 9: is added to what is missing, so that a decision on the old state is outdated', () => {
    const run = play(given);
    const { before, after, effects } = run.send(second);
    expect(after.context.review).toMatchObject({ missingBaseUnits: PART.toString(), resolvedAt: null });
    expect(after.context).not.toEqual(before?.context);
    expect(effects).toEqual([]);
  });

  it('is not explained by coins that make up for the first one only', () => {
    const run = play([...given, second]);
    run.send(mined({ id: 'little', amount: 1_000n, order: 2 }));
    expect(run.view().leaf).toBe('open.inReview');
  });
});

describe('a drop that a watcher reports again, after a failure or a reorg', () => {
  const missing = ({ missing, expected }: { missing: bigint; expected: bigint }, minutes: number) => {
    return { ...balanceDropped(IN_TIME + minutes * MINUTE_MS, missing), expectedBaseUnits: expected.toString() };
  };
  const missingAfter = (...drops: readonly TransactionEvent[]) => {
    return BigInt(play([mined({ ...part, order: 1 }), ...drops]).view().context.review?.missingBaseUnits ?? -1);
  };
  const first = missing({ missing: 5_000n, expected: PART }, 0);

  it('counts once, as much as is missing by then', () => {
    expect(missingAfter(first, missing({ missing: 5_000n, expected: PART }, 1))).toBe(5_000n);
    expect(missingAfter(first, missing({ missing: 6_000n, expected: PART }, 1))).toBe(6_000n);
  });

  it('is not mistaken for another one, of what is left or of a known block', () => {
    const second = missing({ missing: 1_000n, expected: PART - 5_000n }, 1);
    expect(missingAfter(first, second)).toBe(6_000n);
    expect(missingAfter(first, second, missing({ missing: 7_000n, expected: PART }, 2))).toBe(7_000n);
    expect(missingAfter(first, second, missing({ missing: 1_000n, expected: PART - 5_000n }, 2))).toBe(6_000n);
    expect(missingAfter(first, second, second, first)).toBe(6_000n);
    const found = mined({ id: 'found', amount: 500n, order: 2 });
    expect(missingAfter(first, second, found, missing({ missing: 1_000n, expected: PART - 5_000n }, 2))).toBe(7_000n);
    expect(
      missingAfter(first, balanceDropped(IN_TIME + MINUTE_MS, 1_000n), balanceDropped(IN_TIME + MINUTE_MS, 1_000n)),
    ).toBe(7_000n);
  });
});

describe('a drop and the coins that were counted before it', () => {
  const coin = mined({ ...part, order: 1 });
  const drop = { ...balanceDropped(IN_TIME, PART), expectedBaseUnits: PART.toString() };

  it('end in a review in either order', () => {
    for (const events of [
      [coin, drop],
      [drop, coin],
    ])
      expect(play(events).view().leaf).toBe('open.inReview');
  });

  it('end it in either order when the same drop is reported again', () => {
    const found = mined({ id: 'found', amount: PART, order: 2 });
    for (const events of [
      [coin, drop, drop, found],
      [drop, coin, drop, found],
    ])
      expect(play(events).view().leaf).not.toBe('open.inReview');
  });

  it('end it in either order when as many coins are found besides', () => {
    const found = mined({ id: 'found', amount: PART, order: 2 });
    for (const events of [
      [coin, drop, found],
      [drop, coin, found],
      [drop, found, coin],
    ])
      expect(play(events).view().leaf).not.toBe('open.inReview');
  });
});

describe('the clock in a review', () => {
  const given = [mined({ ...part, order: 1 }), balanceDropped(IN_TIME - MINUTE_MS, PART)];

  it('rule 14: stops, so that the rest may arrive after the former end of the window, and completes the payment', () => {
    const at = CLOSES_AT + HOUR_MS;
    const run = play(given);
    run.send(mined({ id: 'rest', amount: REST, order: 2, firstSeenAt: at, at: at + MINUTE_MS }));
    expect(run.view()).toMatchObject({
      leaf: 'confirming',
      context: { expiresAt: CLOSES_AT + HOUR_MS + 3 * MINUTE_MS },
    });
    run.send(confirmed({ ...part, order: 3, at: at + 2 * MINUTE_MS }));
    run.send(confirmed({ id: 'rest', amount: REST, order: 4, firstSeenAt: at, at: at + 2 * MINUTE_MS }));
    expect(run.view().leaf).toBe('completed');
  });

  it('does not stop for a drop that appears only after the end: coins arriving then are late', () => {
    const at = CLOSES_AT + HOUR_MS;
    const run = play([mined({ ...part, order: 1 }), balanceDropped(CLOSES_AT + 1, PART)]);
    run.send(mined({ id: 'rest', amount: REST, order: 2, firstSeenAt: at }));
    expect(run.view().leaf).toBe('open.inReview');
  });

  it('rule 14: does not reopen the window when the review began after its end', () => {
    const at = CLOSES_AT + 2 * HOUR_MS;
    const run = play([mined({ ...part, order: 1 }), balanceDropped(CLOSES_AT + 1, REST)]);
    run.send(mined({ id: 'rest', amount: REST, order: 2, firstSeenAt: at, at: at + MINUTE_MS }));
    expect(run.view()).toMatchObject({ leaf: 'open.partiallyPaid', context: { expiresAt: CLOSES_AT } });
    run.send(windowClosed(at + 2 * MINUTE_MS));
    expect(run.view().leaf).toBe('expired.paidLate');
  });
});
