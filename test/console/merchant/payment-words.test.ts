import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PUBLIC_STATES } from '../../../machines/index.ts';
import {
  ATTENTION_KIND_NAMES,
  DECISIONS_OF,
  KIND_WORDS,
} from '../../../src/console/app/pages/merchant/attention/labels.ts';
import { explorerOf } from '../../../src/console/app/pages/merchant/payment/explorers.ts';
import { statusWordsOf } from '../../../src/console/app/pages/merchant/payment/status-labels.ts';
import { ATTENTION_KINDS, decisionsFor } from '../../../src/payments/index.ts';
import { assertProperty } from '../../support/fast-check.ts';

const TXID = 'ab'.repeat(32);
const MONEY = { crypto: '1234.5', fiat: '99' };
const STANDING = {
  due: MONEY,
  paid: MONEY,
  remaining: MONEY,
  missing: MONEY,
  crypto: 'LTC',
  confirmationsRequired: 3,
  completedBy: 'chain',
  expiresAt: 0,
} as const;

describe('Links to explorers', () => {
  test('are there for public networks, and go nowhere else', () => {
    expect(explorerOf('bitcoin-mainnet', TXID)).toEqual({
      name: 'mempool.space',
      url: `https://mempool.space/tx/${TXID}`,
    });
    expect(explorerOf('bitcoin-testnet', TXID)?.url).toBe(`https://mempool.space/testnet4/tx/${TXID}`);
    expect(explorerOf('ethereum-testnet', `0x${TXID}`)?.url).toBe(`https://sepolia.etherscan.io/tx/0x${TXID}`);
    for (const network of ['bitcoin-regtest', 'simulated-bitcoin', 'dogecoin-testnet', '__proto__', '']) {
      expect(explorerOf(network, TXID)).toBeNull();
    }
  });

  test('are never made of anything but the id of a transaction', () => {
    const text = fc.oneof(
      fc.string(),
      fc.constantFrom('../x', 'javascript:alert(1)', `${TXID}/..`, `${TXID}\n`, ` ${TXID}`),
    );
    assertProperty(
      fc.property(text, (txid) => {
        const explorer = explorerOf('bitcoin-mainnet', txid);
        expect(explorer === null || /^(?:0x)?[0-9a-f]{64}$/i.test(txid)).toBe(true);
      }),
    );
  });
});

describe('How a payment stands, in words', () => {
  test('is said for every status, with the amounts it is about', () => {
    for (const { status, exception } of Object.values(PUBLIC_STATES)) {
      for (const completedBy of ['chain', 'merchant'] as const) {
        const { title, next } = statusWordsOf({ ...STANDING, status, exception, completedBy });
        expect([title.length > 0, next.includes('1,234.5')]).toEqual([true, true]);
      }
    }
  });

  test('does not speak of coins where there are none', () => {
    const nothing = { ...STANDING, paid: { crypto: '0', fiat: '0.00' }, exception: null };
    for (const status of ['expired', 'failed'] as const) {
      expect(statusWordsOf({ ...nothing, status }).next).not.toContain('LTC');
    }
  });
});

describe('What waits, in words', () => {
  test('has a name, an amount and advice for each kind, and the decisions that the payment takes', () => {
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
