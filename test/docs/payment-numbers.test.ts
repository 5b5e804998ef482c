import { describe, expect, test } from 'vitest';
import {
  ASSETS,
  CONFIRMATION_WINDOW_MS,
  CRYPTO_SYMBOLS,
  confirmationDeadlineMs,
  confirmationsRequired,
  DAY_MS,
  HOUR_MS,
  isCryptoSymbol,
  lossSettlesMs,
  MAX_CONFIRMATIONS,
  MAX_TOLERANCE_BASIS_POINTS,
  MAX_WINDOW_MINUTES,
  MIN_WINDOW_MINUTES,
  MINUTE_MS,
  MONITORING_MS,
  PAID_LATE_WINDOW_MS,
  PAYABLE_AFTER_END_MS,
  PAYMENT_EVENTS,
  PAYMENT_STATUSES,
  REMINDERS_MS,
  TRANSACTION_STATUSES,
  UNPAID_AFTER_MS,
  windowMs,
} from '../../machines/index.ts';
import { DEFAULT_SETTINGS } from '../../src/merchants/index.ts';
import { SIMULATE_ACTIONS } from '../../src/payments/simulate/simulate.ts';
import { MINIMUM_USD_CENTS, RATES_MAX_AGE_MS } from '../../src/rates/index.ts';
import { OUTLIER_PERCENT } from '../../src/rates/median-price.ts';
import { MAX_PENDING_PER_RECIPIENT, MAX_RECENT_CONFIRMATIONS } from '../../src/recurring/index.ts';
import { readDocument, tableRows } from './markdown.ts';

const RULES = readDocument('docs/merchants/payment-rules.md');

const COINS_HEADER = [
  'Coin',
  'Below 1,000 USD',
  '1,000 to 10,000 USD',
  'Above 10,000 USD',
  'Confirmation deadline',
  'Window',
  'Decimals quoted',
];

describe('the numbers in docs/merchants/payment-rules.md', () => {
  const coins = tableRows(RULES, COINS_HEADER).flatMap(([symbols = '', ...cells]) =>
    symbols.split(', ').map((symbol) => [symbol, ...cells] as const),
  );

  test('lists every coin once', () => {
    expect(coins.map(([symbol]) => symbol).sort()).toEqual([...CRYPTO_SYMBOLS].sort());
  });

  test.each(coins)('matches the code for %s', (symbol, small, middle, large, deadline, window, decimals) => {
    if (!isCryptoSymbol(symbol)) throw new Error(`${symbol} is no coin`);
    const required = ['999.99', '1000', '10000', '10000.01'].map((usd) => confirmationsRequired(symbol, usd));
    expect(required).toEqual([small, middle, middle, large].map(Number));
    expect(confirmationDeadlineMs(symbol)).toBe(quantity(deadline, / hours$/) * HOUR_MS);
    expect(windowMs(symbol, null)).toBe(quantity(window, / minutes$/) * MINUTE_MS);
    expect(ASSETS[symbol].quoteDecimals).toBe(Number(decimals));
  });

  test('states the limits in the code', () => {
    const limits = new Map(tableRows(RULES, ['What', 'Value']).map(([what = '', value = '']) => [what, value]));
    const percent = (basisPoints: number) => `${basisPoints / 100} %`;
    expect(Object.fromEntries(limits)).toEqual({
      'Late coins raise paid_late for': `${PAID_LATE_WINDOW_MS / HOUR_MS} hours`,
      'A loss after the window settles in': `${lossSettlesMs('litecoin-mainnet') / MINUTE_MS} minutes`,
      'Address is monitored for': `${MONITORING_MS / DAY_MS} days`,
      'Window setting': `${MIN_WINDOW_MINUTES} to ${MAX_WINDOW_MINUTES.toLocaleString('en-US')} minutes`,
      'Tolerance setting': `0 to ${percent(MAX_TOLERANCE_BASIS_POINTS)}`,
      'Default tolerance': percent(DEFAULT_SETTINGS.toleranceBasisPoints),
      'Minimum amount': `${(MINIMUM_USD_CENTS / 100).toFixed(2)} USD`,
      'Rates are unusable after': `${RATES_MAX_AGE_MS / MINUTE_MS} minutes`,
      'Rates differing from the median are dropped above': `${OUTLIER_PERCENT} %`,
    });
  });

  test('names every status and event of a transaction in the lifecycle table, and no other', () => {
    const rows = tableRows(RULES, ['Id', 'From', 'What happens', 'To', 'Webhook']);
    const named = (pattern: RegExp, index: number) =>
      new Set(rows.flatMap((row) => [...(row[index] ?? '').matchAll(pattern)].map(([word]) => word)));
    expect([...named(/payment\.[a-z_]+/g, 4)].sort()).toEqual([...PAYMENT_EVENTS].sort());
    const statuses = named(/\b[a-z]+(?:_[a-z]+)*\b/g, 3);
    for (const status of TRANSACTION_STATUSES) expect(statuses).toContain(status);
  });

  test('states the times of a schedule', () => {
    const rows = tableRows(RULES, ['What', 'After']);
    const days = (...moments: readonly number[]) => moments.map((ms) => `${ms / DAY_MS} days`).join(', ');
    expect(rows).toEqual([
      ['An unconfirmed schedule ends', days(CONFIRMATION_WINDOW_MS)],
      ['Reminders of a period', days(...REMINDERS_MS)],
      ['A period is unpaid', days(UNPAID_AFTER_MS)],
      ['Unpaid periods of a finished schedule can be paid', days(PAYABLE_AFTER_END_MS)],
    ]);
    expect(RULES).toContain(`at most ${MAX_RECENT_CONFIRMATIONS} confirmation emails in`);
    expect(RULES).toContain(`at most ${MAX_PENDING_PER_RECIPIENT} unconfirmed schedules`);
    expect(RULES).toContain(`one schedule sends at most ${MAX_CONFIRMATIONS}.`);
  });

  test('describes every simulate action and every status of a payment', () => {
    const actions = tableRows(RULES, ['action', 'What it does', 'amount_crypto']);
    expect(actions.map(([action]) => action)).toEqual([...SIMULATE_ACTIONS]);
    const statuses = tableRows(RULES, ['status', 'Meaning']);
    expect(statuses.map(([status]) => status)).toEqual([...PAYMENT_STATUSES]);
  });
});

// Helpers

/** The number before a unit; throws for any other unit. */
function quantity(cell: string | undefined, unit: RegExp): number {
  if (cell === undefined || !unit.test(cell)) throw new Error(`"${cell}" is not in ${unit}`);
  return Number(cell.replace(unit, ''));
}
