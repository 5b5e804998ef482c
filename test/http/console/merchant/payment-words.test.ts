import { describe, expect, test } from 'vitest';
import { PUBLIC_STATES } from '../../../../machines/index.ts';
import { ATTENTION_KINDS, decisionsFor } from '../../../../src/payments/index.ts';
import { ATTENTION_KIND_NAMES, DECISIONS_OF, KIND_WORDS } from '../../../../src/web/pages/merchant/attention/labels.ts';
import { statusWordsOf } from '../../../../src/web/pages/merchant/payment/status-labels.ts';

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
  expiresAt: 0,
} as const;

describe('payment status texts', () => {
  test('exist for every status, with the relevant amounts', () => {
    for (const { status, exception } of Object.values(PUBLIC_STATES)) {
      for (const completedBy of ['chain', 'merchant'] as const) {
        const { title, next } = statusWordsOf({ ...SAMPLE, status, exception, completedBy });
        expect([title.length > 0, next.includes('1,234.5')]).toEqual([true, true]);
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
    for (const status of ['completed', 'expired'] as const) {
      const payment = { ...SAMPLE, status, exception: null };
      expect(statusWordsOf(payment).next).toContain('in your wallet');
      for (const unconfirmed of ['detected', 'confirming'] as const) {
        const splits = [{ status: 'confirmed' }, { status: unconfirmed }] as const;
        const { next } = statusWordsOf({ ...payment, splits });
        expect(next).not.toContain('wallet');
        expect(next).toContain('wait before you refund');
      }
    }
  });

  test('never say that an order can be shipped whose coins are gone', () => {
    const words = statusWordsOf({ ...SAMPLE, status: 'completed', exception: null, loss: 'gone' });
    expect(words.next).toContain('Do not ship');
    expect(words.next).not.toContain('You can ship');
  });

  test('ask for nothing once the loss of coins is settled, and say how it was', () => {
    const attention = [{ kind: 'coins_lost', note: 'Paid again' }] as const;
    const lost = { ...SAMPLE, status: 'completed', exception: null, attention } as const;
    const settled = statusWordsOf({ ...lost, loss: 'gone_settled' });
    expect(settled.title).toBe(statusWordsOf({ ...lost, loss: 'gone' }).title);
    expect(settled.next).toContain('is left on the network');
    expect(settled.next).toContain('Paid again');
    expect(settled.next).not.toMatch(/ship|ask/);
  });
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
        isConfirmed: true,
      } as const;
      expect(KIND_WORDS[kind].what(item)).toContain('1,234.5');
      expect(KIND_WORDS[kind].advice).not.toBe('');
      const exception = kind === 'paid_late' || kind === 'needs_review' ? kind : null;
      expect(DECISIONS_OF[kind]).toEqual(decisionsFor({ status: 'pending', exception }));
    }
  });
});
