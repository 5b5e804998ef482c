import { describe, expect, test } from 'vitest';
import { PUBLIC_STATES } from '../../../../machines/index.ts';
import { ATTENTION_KINDS, decisionsFor } from '../../../../src/payments/index.ts';
import {
  ATTENTION_KIND_NAMES,
  DECISION_WORDS,
  DECISIONS_OF,
  KIND_WORDS,
} from '../../../../src/web/pages/merchant/attention/labels.ts';
import { statusWordsOf } from '../../../../src/web/pages/merchant/payment/status-explanation.ts';

const MONEY = { crypto: '1234.5', fiat: '99' };
const SAMPLE = {
  due: MONEY,
  paid: MONEY,
  remaining: MONEY,
  missing: MONEY,
  crypto: 'LTC',
  confirmationsRequired: 3,
  completedBy: 'chain',
  loss: null,
  attention: [],
  splits: [{ status: 'confirmed' }, { status: 'replaced' }],
  unassigned: [],
  timeline: [],
  expiresAt: 0,
} as const;

describe('payment status texts', () => {
  test('exist for every status, with the relevant amounts', () => {
    for (const { status, exception } of Object.values(PUBLIC_STATES)) {
      for (const completedBy of ['chain', 'merchant'] as const) {
        const { title, next } = statusWordsOf({ ...SAMPLE, status, exception, completedBy });
        const isDecided = status === 'completed' && completedBy === 'merchant';
        expect([title.length > 0, next.includes('1,234.5')]).toEqual([true, !isDecided]);
      }
    }
  });

  test('do not mention coins when there are none', () => {
    const nothing = { ...SAMPLE, paid: { crypto: '0', fiat: '0.00' }, exception: null };
    for (const status of ['expired', 'failed'] as const) {
      expect(statusWordsOf({ ...nothing, status }).next).not.toContain('LTC');
    }
  });

  test('do not say that coins are in the wallet, or are to be refunded, which their sender can take back', () => {
    for (const status of ['completed', 'expired', 'failed'] as const) {
      const payment = { ...SAMPLE, status, exception: null };
      expect(statusWordsOf(payment).next).toContain(status === 'failed' ? 'arrived at the address' : 'in your wallet');
      for (const unconfirmed of ['detected', 'confirming'] as const) {
        const splits = [{ status: 'confirmed' }, { status: unconfirmed }] as const;
        const { next } = statusWordsOf({ ...payment, splits });
        expect(next).not.toMatch(/wallet|arrived at/);
        expect(next).toContain('wait before you refund');
      }
    }
  });

  test('warn before late coins are accepted which their sender can take back', () => {
    const late = { ...SAMPLE, status: 'expired', exception: 'paid_late' } as const;
    expect(statusWordsOf(late).next).not.toContain('not confirmed');
    for (const status of ['detected', 'confirming'] as const) {
      const { next } = statusWordsOf({ ...late, splits: [{ status: 'confirmed' }, { status }] });
      expect(next).toContain(
        'not confirmed yet, and its sender can still take it back: wait before you deliver or refund',
      );
    }
  });

  test('say that coins of another asset have arrived, and what to do about them', () => {
    const coin = { reason: 'other_asset', asset: 'USDC', amountCrypto: '1234.56', isConfirmed: true } as const;
    const payment = { ...SAMPLE, paid: { crypto: '0', fiat: '0.00' }, crypto: 'USDT', exception: null } as const;
    for (const status of ['pending', 'partial', 'expired', 'failed'] as const) {
      const { next } = statusWordsOf({ ...payment, status, unassigned: [coin] });
      expect(next).toContain('1,234.56\u00a0USDC arrived, but USDT was requested. Agree with your customer');
      expect(next).toContain('refund it from your wallet');
      expect(next).not.toContain('Nothing has arrived');
      const unconfirmed = statusWordsOf({ ...payment, status, unassigned: [{ ...coin, isConfirmed: false }] });
      expect(unconfirmed.next).not.toContain('from your wallet');
      expect(unconfirmed.next).toContain('wait before you refund');
      const several = statusWordsOf({ ...payment, status, unassigned: [coin, { ...coin, asset: 'DAI' }] });
      expect(several.next).toContain('Coins in USDC and DAI arrived, but USDT was requested.');
    }
    const { next } = statusWordsOf({
      ...payment,
      status: 'pending',
      unassigned: [{ ...coin, reason: 'before_payment' }],
    });
    expect(next).toContain('Nothing has arrived');
  });

  test.each([
    [{ kind: 'person', email: 'ann@shop.example' }, 'Accepted as paid by ann@shop.example.'],
    [{ kind: 'person', email: null }, 'Accepted as paid by a former user.'],
    [{ kind: 'shop' }, 'Accepted as paid by your shop.'],
    [{ kind: 'operator' }, 'Accepted as paid by the operators of this service.'],
    [{ kind: 'service' }, 'Accepted as paid by a decision.'],
  ] as const)('name who accepted a payment: %j', (who, words) => {
    const timeline = [{ who, becomes: { status: 'completed', exception: null } }] as const;
    const accepted = { ...SAMPLE, status: 'completed', exception: null, completedBy: 'merchant' } as const;
    expect(statusWordsOf({ ...accepted, timeline }).next).toContain(words);
    expect(statusWordsOf(accepted).next).toContain('Accepted as paid by a decision.');
  });

  test('never say that an order can be shipped whose coins are gone', () => {
    const words = statusWordsOf({ ...SAMPLE, status: 'completed', exception: null, loss: 'gone' });
    expect(words.next).toContain('Do not ship');
    expect(words.next).not.toContain('You can ship');
  });

  test('say that coins which await confirmation are gone, not that they were sent', () => {
    const { next } = statusWordsOf({ ...SAMPLE, status: 'awaiting_confirmation', exception: null, loss: 'gone' });
    expect(next).toContain('no longer on the network');
    expect(next).not.toMatch(/was sent|counts once/);
  });

  test('say that coins which were seen are gone, not that nothing has arrived', () => {
    const amount = { crypto: '0.25', fiat: '20' };
    const gone = { status: 'replaced', txid: 'a', amount } as const;
    const nextOf = (
      status: 'pending' | 'partial',
      ...splits: Parameters<typeof statusWordsOf>[0]['splits'][number][]
    ) => statusWordsOf({ ...SAMPLE, status, exception: null, splits }).next;
    for (const status of ['pending', 'partial'] as const) {
      expect(nextOf(status, gone)).toContain('0.25\u00a0LTC was seen, but is no longer on the network.');
      expect(nextOf(status, gone, { ...gone, txid: 'b' })).toContain('2 transactions were seen');
      expect(nextOf(status, gone)).not.toContain('Nothing has arrived');
      const replaced = { ...gone, isReplaced: true };
      expect(nextOf(status, replaced)).toContain('was replaced by another one and does not count');
      expect(nextOf(status, replaced, { status: 'detected', txid: 'b' })).not.toContain('seen');
      expect(nextOf(status, gone, { status: 'confirming', txid: 'a' })).not.toContain('seen');
      // A transaction that explains them may have taken their place.
      expect(nextOf(status, { ...gone, txid: null })).not.toContain('seen');
    }
    expect(nextOf('pending')).toContain('Nothing has arrived yet.');
  });

  test('say that coins were replaced, and not that they may return, where another transaction spends them', () => {
    const splits = [{ status: 'replaced', isReplaced: true }] as const;
    for (const [status, title] of [
      ['awaiting_confirmation', 'Payment no longer on the network'],
      ['completed', 'Part of the payment reversed by the network'],
    ] as const) {
      const payment = { ...SAMPLE, status, exception: null, loss: 'gone' } as const;
      expect(statusWordsOf(payment).title).toBe(title);
      const words = statusWordsOf({ ...payment, splits });
      expect(words.title).toBe('Payment replaced by another transaction');
      expect(words.next).not.toContain('return');
      expect(words.next).toContain('Do not ship');
    }
    const paid = { crypto: '0', fiat: '0.00' };
    const words = statusWordsOf({ ...SAMPLE, status: 'completed', exception: null, loss: 'gone', paid });
    expect(words.title).toBe('Payment reversed by the network');
    expect(words.next).toContain('None of the 1,234.5\u00a0LTC is on the network any more.');
  });

  test('advise no second payment while coins that missed the deadline may still be confirmed', () => {
    const expired = { ...SAMPLE, status: 'expired', exception: null } as const;
    const waits = statusWordsOf({ ...expired, splits: [{ status: 'detected', isGivenUp: true }] });
    expect(waits.next).toContain('wait for that before you ask for a new payment');
    expect(waits.next).not.toContain('Ask your customer for a new payment');
    const over = statusWordsOf({ ...expired, splits: [{ status: 'replaced', isGivenUp: true }] });
    expect(over.next).toContain('Ask your customer for a new payment');
  });

  test('ask for nothing once the loss of coins is settled, and say how it was', () => {
    const attention = [{ kind: 'coins_lost', note: 'Paid again', settledAt: 1 }] as const;
    const lost = { ...SAMPLE, status: 'completed', exception: null, attention } as const;
    const settled = statusWordsOf({ ...lost, loss: 'gone_settled' });
    expect(settled.title).toBe(statusWordsOf({ ...lost, loss: 'gone' }).title);
    expect(settled.next).toContain('is left on the network');
    expect(settled.next).toContain('Paid again');
    expect(settled.next).not.toMatch(/ship|ask/);
  });
});

/** A payment whose coins need attention for these reasons, with what they say while one is open. */
const SETTLED = [
  ['expired', 'chain', 'underpaid', 'or refund the coins from your wallet'],
  ['expired', 'chain', 'coins_on_closed', 'or refund the coins from your wallet'],
  ['failed', 'chain', 'underpaid', 'Agree with your customer'],
  ['failed', 'chain', 'coins_on_closed', 'Agree with your customer'],
  ['completed', 'chain', 'overpaid', 'is in your wallet'],
  ['completed', 'merchant', 'coins_on_closed', null],
] as const;

describe('the status of a payment whose coins a user has settled', () => {
  const note = 'Refunded, txid 9f3c';

  test.each(SETTLED)('%s by the %s, %s: quotes the note, and gives no advice', (status, completedBy, kind, advice) => {
    const payment = { ...SAMPLE, status, completedBy, exception: null } as const;
    const open = statusWordsOf({ ...payment, attention: [{ kind, note: null, settledAt: null }] });
    if (advice !== null) expect(open.next).toContain(advice);
    expect(open.next).not.toContain('settled');
    const { next, title } = statusWordsOf({ ...payment, attention: [{ kind, note, settledAt: 1 }] });
    expect(title).toBe(open.title);
    expect(next).toMatch(status === 'completed' ? /Some of what has arrived was settled/ : /This was settled/);
    expect(next).toContain(`settled with the note “${note}”.`);
    expect(next).not.toMatch(/in your wallet|from your wallet|Agree|Ask/);
  });

  test.each(SETTLED)(
    '%s by the %s, %s: keeps the advice while another item is open',
    (status, completedBy, kind, advice) => {
      const payment = { ...SAMPLE, status, completedBy, exception: null } as const;
      const other = kind === 'coins_on_closed' ? 'unassigned_coins' : 'coins_on_closed';
      for (const attention of [
        [{ kind, note, settledAt: null }],
        [
          { kind: other, note: null, settledAt: null },
          { kind, note, settledAt: 1 },
        ],
      ] as const) {
        const { next } = statusWordsOf({ ...payment, attention });
        expect(next).toMatch(/Some of (it|what has arrived) was settled with the note/);
        expect(next).not.toContain('is in your wallet');
        if (status === 'expired') expect(next).toContain('or refund the rest from your wallet');
        if (status === 'failed') expect(next).toContain(advice);
      }
    },
  );

  test('quotes every note, and the reason of a dismissal', () => {
    const attention = [
      { kind: 'underpaid', note: 'first', settledAt: 1 },
      { kind: 'coins_on_closed', note: 'second', settledAt: 2 },
      { kind: 'paid_late', note: 'sold out', settledAt: 3 },
    ] as const;
    const { next } = statusWordsOf({ ...SAMPLE, status: 'expired', exception: null, attention });
    expect(next).toContain('with the notes “first”, “second”.');
    expect(next).toContain('Late coins were dismissed with the reason “sold out”.');
  });

  test('leaves the advice about the rest to the open item, after late coins were dismissed', () => {
    const dismissed = { kind: 'paid_late', note: 'sold out', settledAt: 3 } as const;
    const expired = { ...SAMPLE, status: 'expired', exception: null } as const;
    const open = { kind: 'underpaid', note: null, settledAt: null } as const;
    const { next } = statusWordsOf({ ...expired, attention: [open, dismissed] });
    expect(next).toContain(
      'Refund the late coins from your wallet if you have not yet. What to do with the rest is below.',
    );
    expect(next).not.toContain('Ask your customer');
    const unconfirmed = statusWordsOf({ ...expired, attention: [open, dismissed], splits: [{ status: 'detected' }] });
    expect(unconfirmed.next).not.toContain('Refund the late coins');
    const other = statusWordsOf({ ...expired, attention: [{ ...open, kind: 'unassigned_coins' }, dismissed] });
    expect(other.next).toContain('Ask your customer for a new payment');
  });

  test('keeps the advice about an item that closed without a note', () => {
    const attention = [{ kind: 'underpaid', note: null, settledAt: 1 }] as const;
    const { next } = statusWordsOf({ ...SAMPLE, status: 'expired', exception: null, attention });
    expect(next).toContain('refund the coins from your wallet');
  });
});

describe('the status of a payment that a decision accepted', () => {
  const accepted = { ...SAMPLE, status: 'completed', exception: null, completedBy: 'merchant' } as const;

  test('names neither an author, whom it does not know, nor a sum, which may have grown since', () => {
    expect(statusWordsOf(accepted).next).toBe('Accepted as paid by a decision. You can ship.');
  });

  test('says when some of it is not confirmed', () => {
    for (const status of ['detected', 'confirming'] as const) {
      const { next } = statusWordsOf({ ...accepted, splits: [{ status }] });
      expect(next).toContain('not confirmed yet');
      expect(next).not.toContain('You can ship');
    }
  });
});

test('a payment that is over does not say that its address is still watched', () => {
  const nothing = { ...SAMPLE, paid: { crypto: '0', fiat: '0.00' }, exception: null };
  for (const status of ['expired', 'failed'] as const) {
    const { next } = statusWordsOf({ ...nothing, status });
    expect(next).toContain('30 days after the payment window');
    expect(next).not.toContain('still');
  }
});

test('decisions that lead to a delivery or a refund warn of coins that are not confirmed', () => {
  expect(DECISION_WORDS.mark_paid.caution).toContain('you may lose both coins and goods');
  expect(DECISION_WORDS.dismiss.caution).toContain('Wait for confirmation before you refund');
  for (const { consequence } of Object.values(DECISION_WORDS)) expect(consequence).not.toContain('in your wallet');
});

describe('texts of items that need attention', () => {
  test('have a name, an amount and advice for each kind, and the decisions that the payment accepts', () => {
    expect([...ATTENTION_KIND_NAMES].sort()).toEqual([...ATTENTION_KINDS].sort());
    for (const kind of ATTENTION_KINDS) {
      const item = {
        amountCrypto: '1234.5',
        amountFiat: '99',
        crypto: 'LTC',
        currencyFiat: 'EUR',
        dueCrypto: '1',
        paidCrypto: '1',
        status: 'expired',
        isConfirmed: true,
        missedDeadline: 'none',
      } as const;
      expect(KIND_WORDS[kind].what(item)).toContain('1,234.5');
      expect(KIND_WORDS[kind].advice).not.toBe('');
      const exception = kind === 'paid_late' || kind === 'needs_review' ? kind : null;
      expect(DECISIONS_OF[kind]).toEqual(decisionsFor({ status: 'pending', exception }));
    }
  });

  test('say that an order is unpaid whose coins arrived after closing, and what was due', () => {
    const item = {
      amountCrypto: '0.5',
      amountFiat: '24.95',
      crypto: 'LTC',
      currencyFiat: 'EUR',
      dueCrypto: '1',
      paidCrypto: '0.5',
      isConfirmed: true,
      missedDeadline: 'none',
    } as const;
    for (const status of ['expired', 'failed'] as const) {
      expect(KIND_WORDS.coins_on_closed.what({ ...item, status }).replaceAll('\u00a0', ' ')).toBe(
        '0.5 LTC (24.95 EUR) of 1 LTC arrived after the payment was closed: the order is not paid.',
      );
    }
    expect(KIND_WORDS.coins_on_closed.what({ ...item, status: 'completed' })).toContain('The order is not affected.');
  });

  test('say why coins are late', () => {
    const item = {
      amountCrypto: '0.5',
      amountFiat: '24.95',
      crypto: 'LTC',
      currencyFiat: 'EUR',
      dueCrypto: '1',
      paidCrypto: '0.5',
      status: 'expired',
      isConfirmed: true,
    } as const;
    const text = (missedDeadline: 'all' | 'some' | 'none') =>
      KIND_WORDS.paid_late.what({ ...item, missedDeadline }).replaceAll('\u00a0', ' ');
    expect(text('none')).toBe(
      '0.5 LTC (24.95 EUR) arrived after the payment window closed. In total, 0.5 LTC of 1 LTC has arrived.',
    );
    expect(text('all')).toContain('arrived in time, but was confirmed after the payment had failed.');
    expect(text('all')).not.toContain('window closed');
    expect(text('some')).toMatch(/some arrived after the payment window closed, the rest was confirmed after/);
  });
});
