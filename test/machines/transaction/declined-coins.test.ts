import { describe, expect, it } from 'vitest';
import { DAY_MS, type TransactionEvent, type TransactionTerms } from '../../../machines/index.ts';
import { attentionOf } from '../../../src/payments/attention/attention-of.ts';
import { lossOf } from '../../../src/payments/projection/loss.ts';
import { paidBaseUnits } from '../../../src/payments/projection/paid.ts';
import { play, webhooksOf } from './actor-run.ts';
import { balanceDropped, deadlinePassed, WINDOW_CLOSED } from './chart-events.ts';
import { confirmed, dropped, IN_TIME, LATE, mined, seen } from './observations.ts';
import { DEADLINE_MS, DUE } from './terms.ts';

const PART = DUE / 4n;
const ETHER: Partial<TransactionTerms> = { crypto: 'ETH', network: 'ethereum-regtest' };
const TOKEN: Partial<TransactionTerms> = { crypto: 'USDT', network: 'ethereum-regtest' };
const DISMISSED: TransactionEvent = { type: 'merchant.dismissed', at: LATE, by: 'usr_example' };
const MARKED_PAID: TransactionEvent = { type: 'merchant.marked_paid', at: LATE, by: 'usr_example' };
const REJECTED: TransactionEvent = { type: 'merchant.rejected', at: IN_TIME, by: 'usr_example' };
const DROPPED = balanceDropped(IN_TIME);
const DEADLINE = deadlinePassed(IN_TIME + DEADLINE_MS);

const first = confirmed({ id: 'first', order: 1, firstSeenAt: LATE });
const second = (amount = DUE) => confirmed({ id: 'second', order: 2, amount, firstSeenAt: LATE });

describe('coins that the merchant has declined', () => {
  it('are not settled again with those that arrive after them: no overpayment, nothing to refund', () => {
    const paid = after(WINDOW_CLOSED, first, DISMISSED, second(), MARKED_PAID);
    expect(paid).toEqual({ leaf: 'completed', settled: DUE, paid: DUE, items: [], loss: null });
    expect(eventsAfter(WINDOW_CLOSED, first, DISMISSED, second(), MARKED_PAID)).not.toContain('payment.overpaid');
  });

  it('do not make up for too little that is accepted after them', () => {
    expect(after(WINDOW_CLOSED, first, DISMISSED, second(PART), MARKED_PAID)).toMatchObject({
      settled: PART,
      paid: PART,
    });
  });

  it('are not part of the sum that waits for the next decision', () => {
    expect(after(WINDOW_CLOSED, first, DISMISSED, second(PART))).toMatchObject({
      leaf: 'expired.paidLate',
      paid: PART,
      items: [`paid_late ${PART}`],
    });
  });

  it('are shown as received while the payment has ended unpaid', () => {
    expect(after(WINDOW_CLOSED, first, DISMISSED)).toMatchObject({ leaf: 'expired.watching', paid: DUE, items: [] });
  });

  it('do not hide that the accepted ones are gone', () => {
    const gone = dropped({ id: 'second', order: 3 });
    expect(after(WINDOW_CLOSED, first, DISMISSED, second(), MARKED_PAID, gone)).toMatchObject({
      paid: 0n,
      items: [`coins_lost ${DUE}`],
      loss: 'gone',
    });
  });

  it('stay declined under the id that a reorg gives them', () => {
    const log = { txid: '0xa', firstSeenAt: LATE };
    const run = [
      WINDOW_CLOSED,
      mined({ ...log, id: 'log-5', order: 1 }),
      DISMISSED,
      mined({ ...log, id: 'log-7', order: 2, branch: 'fork' }),
      dropped({ ...log, id: 'log-5', order: 3, reason: 'reorged' }),
      confirmed({ txid: '0xb', id: 'second', order: 4, firstSeenAt: LATE }),
      MARKED_PAID,
    ];
    expect(on({ crypto: 'USDT', network: 'ethereum-regtest' }, ...run)).toMatchObject({ settled: DUE, items: [] });
  });

  it('do not complete the payment when an older sighting shows that they came in time', () => {
    const older = seen({ id: 'first', order: 0, firstSeenAt: IN_TIME });
    expect(after(WINDOW_CLOSED, first, DISMISSED, older)).toEqual({
      leaf: 'expired.watching',
      settled: null,
      paid: DUE,
      items: [],
      loss: null,
    });
  });

  it('do not complete the payment when they inherit the sighting of a transaction they replaced', () => {
    const both = { id: 'both', amount: DUE + PART, spends: ['x:0', 'y:0'] };
    const part = { id: 'part', amount: 2n * PART, spends: ['x:0'] };
    const late = confirmed({ id: 'late', order: 4, firstSeenAt: LATE, spends: ['y:0'] });
    const replaced = [
      seen({ ...both, order: 1 }),
      seen({ ...part, order: 2 }),
      dropped({ ...both, order: 3, reason: 'replaced' }),
      WINDOW_CLOSED,
    ];
    const run = [...replaced, late, DISMISSED, dropped({ ...part, order: 5, reason: 'replaced' })];
    expect(after(...run)).toMatchObject({ leaf: 'expired.watching', settled: null, items: [] });
    expect(eventsAfter(...run)).not.toContain('payment.completed');
  });

  it.each([
    ['the part in time', 'late'],
    ['the late part', 'in time'],
  ])('do not include what else a replacement of both replaces: %s is left to decide', (_, declined) => {
    const one = { id: 'one', amount: PART, spends: ['x:0'] };
    const other = { id: 'other', amount: DUE - PART, spends: ['y:0'], firstSeenAt: LATE };
    const settled = { type: 'merchant.settled', at: LATE, by: 'usr_example', outputIds: ['one:0'] } as const;
    const parts = [seen({ ...one, order: 1 }), WINDOW_CLOSED];
    const decided =
      declined === 'late' ? [seen({ ...other, order: 2 }), DISMISSED] : [settled, seen({ ...other, order: 2 })];
    const replacement = confirmed({ id: 'both', order: 3, spends: ['x:0', 'y:0'], firstSeenAt: LATE + 60_000 });
    const replaced = [
      dropped({ ...one, order: 4, reason: 'replaced' }),
      dropped({ ...other, order: 5, reason: 'replaced' }),
    ];
    expect(after(...parts, ...decided, replacement, ...replaced)).toMatchObject({
      leaf: 'expired.paidLate',
      items: [`paid_late ${DUE}`],
    });
  });

  it('do not include another part of the transaction that both replaced', () => {
    const both = { id: 'both', firstSeenAt: LATE, spends: ['a:0', 'b:0'] };
    const one = { id: 'one', amount: PART, firstSeenAt: LATE, spends: ['a:0'] };
    const other = { id: 'other', amount: DUE - PART, firstSeenAt: LATE, spends: ['b:0'] };
    const paid = [
      WINDOW_CLOSED,
      seen({ ...both, order: 1 }),
      seen({ ...one, order: 2 }),
      dropped({ ...both, order: 3, reason: 'replaced' }),
      DISMISSED,
      confirmed({ ...other, order: 4 }),
      MARKED_PAID,
    ];
    const settled = { settled: DUE - PART, paid: DUE - PART, items: [], loss: null };
    expect(after(...paid)).toMatchObject(settled);
    expect(after(...paid, dropped({ ...one, order: 5 }))).toMatchObject(settled);
  });

  it('include those that were there when the payment was rejected', () => {
    const half = seen({ id: 'half', order: 1, amount: DUE / 2n });
    expect(after(half, DROPPED, REJECTED, second(), MARKED_PAID)).toMatchObject({ settled: DUE, items: [] });
  });

  describe('include those that a user has settled after the payment had ended unpaid:', () => {
    const half = (id: string, order: number) => confirmed({ id, order, amount: DUE / 2n });
    const settled = (id: string): TransactionEvent => {
      return { type: 'merchant.settled', at: LATE, by: 'usr_example', outputIds: [`${id}:0`] };
    };
    const lateWhole = confirmed({ id: 'late', order: 9, firstSeenAt: LATE });

    it('they do not complete it with a lost part that is mined days later', () => {
      const lost = [seen({ id: 'b', order: 2, amount: DUE / 2n }), dropped({ id: 'b', order: 3 })];
      const run = [half('a', 1), ...lost, WINDOW_CLOSED, settled('a'), half('b', 10)];
      expect(after(...run)).toMatchObject({ leaf: 'expired.watching', items: [`underpaid ${DUE / 2n}`] });
      expect(eventsAfter(...run)).not.toContain('payment.completed');
    });

    it('they are not part of a late payment that is accepted: nothing to refund again', () => {
      const run = [half('a', 1), WINDOW_CLOSED, settled('a'), lateWhole];
      expect(after(...run)).toMatchObject({ paid: DUE, items: [`paid_late ${DUE}`] });
      expect(after(...run, MARKED_PAID)).toMatchObject({ settled: DUE, paid: DUE, items: [] });
      expect(eventsAfter(...run, MARKED_PAID)).not.toContain('payment.overpaid');
    });

    it('the rest confirmed after the deadline is short without them', () => {
      const rest = seen({ id: 'rest', order: 2, amount: DUE / 2n });
      const run = [half('a', 1), rest, WINDOW_CLOSED, DEADLINE];
      expect(after(...run)).toMatchObject({ leaf: 'failed', items: [`underpaid ${DUE / 2n}`] });
      expect(after(...run, settled('a'))).toMatchObject({ leaf: 'failed', items: [] });
      expect(after(...run, settled('a'), half('rest', 10))).toMatchObject({ paid: DUE / 2n });
    });

    it('coins that came after six hours pay nothing beside lost ones that return', () => {
      const veryLate = confirmed({ id: 'c', order: 5, firstSeenAt: LATE + DAY_MS });
      const lost = [seen({ id: 'a', order: 1 }), dropped({ id: 'a', order: 2 })];
      const run = [...lost, WINDOW_CLOSED, veryLate, settled('c'), confirmed({ id: 'a', order: 10 })];
      expect(after(...run)).toMatchObject({ leaf: 'completed', settled: DUE, items: [] });
      expect(eventsAfter(...run)).not.toContain('payment.overpaid');
    });
  });

  it('stay declined under the ids that two reorganisations give coins of a balance', () => {
    const balance = (no: number, order: number, before: number[]): TransactionEvent => ({
      ...mined({ id: `balance-${no}`, order, amount: DUE / 2n, height: 100 + no }),
      txid: null,
      ...(before.length === 0
        ? {}
        : { outdates: { outputIds: before.map((other) => `balance-${other}:0`), before: order } }),
    });
    const settle: TransactionEvent = {
      type: 'merchant.settled',
      at: LATE,
      by: 'usr_example',
      outputIds: ['balance-1:0'],
    };
    const moved = [WINDOW_CLOSED, balance(1, 1, []), settle, balance(2, 2, [1]), balance(3, 3, [2])];
    const rest = confirmed({ id: 'rest', order: 9, amount: DUE / 2n });
    const ether = { crypto: 'ETH', network: 'ethereum-regtest' } as const;
    expect(on(ether, ...moved, rest)).toMatchObject({ leaf: 'expired.watching', items: [`underpaid ${DUE / 2n}`] });
  });

  it('stay declined when other transactions explain a balance that they were', () => {
    const balance = mined({ id: 'balance', order: 1, amount: DUE / 2n });
    const parts = [DUE / 8n, (DUE * 3n) / 8n].map((amount, part) => ({
      ...confirmed({ id: `part-${part}`, order: 2 + part, amount }),
      outdates: { outputIds: ['balance:0'], before: 2 },
    }));
    const settled = { type: 'merchant.settled', at: LATE, by: 'usr_example', outputIds: ['balance:0'] } as const;
    const run = [{ ...balance, txid: null }, WINDOW_CLOSED, settled, ...parts];
    const gone = { ...dropped({ id: 'balance', order: 4, amount: DUE / 2n, reason: 'reorged' }), txid: null };
    const rest = confirmed({ id: 'rest', order: 9, amount: DUE / 2n, firstSeenAt: LATE });
    for (const events of [run, [...run, gone], [...run.slice(0, 3), gone, ...parts]]) {
      expect(on(ETHER, ...events, rest, MARKED_PAID)).toMatchObject({ settled: DUE / 2n, paid: DUE / 2n });
    }
  });

  it('stay declined when a part of a balance that they were is explained as sent in time', () => {
    const balance = (order: number, amount: bigint) => ({
      ...confirmed({ id: 'balance', order, amount, firstSeenAt: LATE }),
      txid: null,
    });
    const explained = { ...confirmed({ id: 'T', order: 3 }), outdates: { outputIds: ['balance:0'], before: 2 } };
    const dismissed = [WINDOW_CLOSED, balance(1, DUE + PART), DISMISSED];
    for (const events of [
      [balance(2, PART), explained],
      [explained, balance(2, PART)],
    ]) {
      for (const length of [1, 2]) {
        const history = [...dismissed, ...events.slice(0, length)];
        expect(on(ETHER, ...history)).toMatchObject({ leaf: 'expired.watching' });
        expect(webhooksOf(play(history, ETHER))).not.toContain('payment.completed');
      }
    }
    // Other coins that the same report finds are no part of it.
    const more = { ...explained, amountBaseUnits: (DUE * 2n).toString() };
    expect(on(ETHER, ...dismissed, balance(2, PART), more)).toMatchObject({ leaf: 'completed' });
  });

  it('stay declined when their transaction, mined again, pays another amount', () => {
    const ofIt = { txid: '0xa', spends: ['0xs:5'] };
    const again = (id: string, order: number, amount: bigint, before: string): TransactionEvent => ({
      ...confirmed({ ...ofIt, id, order, amount }),
      outdates: { outputIds: [`${before}:0`], before: order },
    });
    const settled = { type: 'merchant.settled', at: LATE, by: 'usr_example', outputIds: ['log-5:0'] } as const;
    const gone = (id: string, order: number, amount: bigint) =>
      dropped({ ...ofIt, id, order, amount, reason: 'reorged' });
    const run = [
      confirmed({ ...ofIt, id: 'log-5', order: 1, amount: PART }),
      WINDOW_CLOSED,
      settled,
      again('log-7', 2, PART + 10n, 'log-5'),
      gone('log-5', 3, PART),
      again('log-9', 4, PART - 10n, 'log-7'),
      gone('log-7', 5, PART + 10n),
    ];
    const rest = confirmed({ id: 'rest', order: 9, amount: PART, firstSeenAt: LATE });
    for (const length of [4, 5, 6, 7]) {
      expect(on(TOKEN, ...run.slice(0, length), rest, MARKED_PAID)).toMatchObject({ settled: PART, paid: PART });
    }
    // Also when the report that it is gone comes first.
    const later = [
      ...run.slice(0, 3),
      gone('log-5', 2, PART),
      confirmed({ ...ofIt, id: 'log-7', order: 3, amount: PART + 10n }),
    ];
    expect(on(TOKEN, ...later, rest, MARKED_PAID)).toMatchObject({ settled: PART, paid: PART });
  });

  it('raise an item about what their transaction, mined again, pays beyond them', () => {
    const ofIt = { txid: '0xa', spends: ['0xs:5'] };
    const settled = (outputId: string): TransactionEvent => {
      return { type: 'merchant.settled', at: LATE, by: 'usr_example', outputIds: [outputId] };
    };
    const run = [
      confirmed({ ...ofIt, id: 'log-5', order: 1, amount: PART }),
      WINDOW_CLOSED,
      settled('log-5:0'),
      dropped({ ...ofIt, id: 'log-5', order: 2, amount: PART, reason: 'reorged' }),
      confirmed({ ...ofIt, id: 'log-7', order: 3, amount: DUE * 5n }),
    ];
    expect(on(TOKEN, ...run)).toMatchObject({
      leaf: 'expired.watching',
      items: [`coins_on_closed ${DUE * 5n - PART}`],
    });
    expect(on(TOKEN, ...run, settled('log-7:0')).items).toEqual([]);
  });

  it('stay declined when the payment misses its deadline later', () => {
    const older = seen({ id: 'first', order: 0, firstSeenAt: IN_TIME });
    const unconfirmed = seen({ id: 'rest', order: 7 });
    const run = [WINDOW_CLOSED, first, DISMISSED, older, unconfirmed, deadlinePassed(Number.MAX_SAFE_INTEGER)];
    expect(after(...run)).toMatchObject({ leaf: 'failed', items: [] });
    expect(after(...run, confirmed({ id: 'rest', order: 8 }), MARKED_PAID)).toMatchObject({ settled: DUE, items: [] });
  });

  it('do not include what was confirmed when the deadline passed, without a decision', () => {
    const most = confirmed({ id: 'most', order: 1, amount: DUE - PART });
    const rest = seen({ id: 'rest', order: 2, amount: PART });
    const late = confirmed({ id: 'late', order: 3, amount: PART, firstSeenAt: LATE });
    expect(
      after(most, rest, WINDOW_CLOSED, DEADLINE, dropped({ id: 'rest', order: 4 }), late, MARKED_PAID),
    ).toMatchObject({
      settled: DUE,
      items: [],
    });
  });
});

// Helpers

function after(...events: readonly TransactionEvent[]) {
  return on({}, ...events);
}

function on(terms: Partial<TransactionTerms>, ...events: readonly TransactionEvent[]) {
  const { leaf, context } = play(events, terms).view();
  const settled = context.settledBaseUnits;
  return {
    leaf,
    settled: settled === null ? null : BigInt(settled),
    paid: paidBaseUnits({ state: leaf, context }),
    items: attentionOf(leaf, context).map(({ kind, baseUnits }) => `${kind} ${baseUnits}`),
    loss: lossOf(context),
  };
}

function eventsAfter(...events: readonly TransactionEvent[]): string[] {
  return webhooksOf(play(events));
}
