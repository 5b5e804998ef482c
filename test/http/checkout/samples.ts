import { MINUTE_MS } from '../../../machines/index.ts';
import type { Brand } from '../../../src/merchants/index.ts';
import type { CustomerView, PublicPayment } from '../../../src/payments/index.ts';

/** 21 November 2026, 10:00 UTC. */
export const NOW = Date.UTC(2026, 10, 21, 10);

const TXID = '9f3c1d0b7e6a5f4d2c1b0a998877665544332211ffeeddccbbaa009988776655';

export const NO_BRAND: Brand = { logo: null, brandColour: null, supportContact: null };

/** A merchant that has set everything; the logo is that of `sample-server.ts`. */
export const BRAND: Brand = { logo: 'logo', brandColour: '#ffd21f', supportContact: 'help@bakery.example' };

/** A live payment of 25 EUR in LTC, created ten minutes ago, with twenty to go. */
export function sampleTransaction(changes: Partial<CustomerView> = {}): CustomerView {
  const depositAddress = changes.depositAddress ?? 'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9';
  const amountRemaining = changes.amountRemaining ?? '0.33540373';
  return {
    id: 'txn_0123456789abcdefghjkmnpqrs',
    status: 'pending',
    exception: null,
    sequence: 1,
    expiresAt: NOW + 20 * MINUTE_MS,
    clockOffsetMs: 0,
    isSimulated: false,
    syncedUntil: NOW - 1_000,
    tipHeight: 2_700_000,
    mode: 'live',
    storeName: 'Corner Bakery',
    brand: NO_BRAND,
    orderId: null,
    title: null,
    items: [],
    crypto: 'LTC',
    network: { chain: 'litecoin', chainName: 'Litecoin', kind: 'mainnet' },
    depositAddress,
    paymentUri: `litecoin:${depositAddress}?amount=${amountRemaining}`,
    amountDue: '0.33540373',
    amountPaid: '0',
    amountRemaining,
    amountExcess: '0',
    amountFiat: '25',
    currencyFiat: 'EUR',
    exchangeRate: '80.5',
    fiatToUsdRate: '1.08',
    confirmationsRequired: 3,
    payments: [],
    successUrl: 'https://shop.example/thanks?order=17',
    cancelUrl: 'https://shop.example/cart',
    canQuoteAnew: false,
    createdAt: NOW - 10 * MINUTE_MS,
    completedAt: null,
    completedBy: null,
    isRejected: false,
    isDismissed: false,
    loss: null,
    surplus: null,
    receipt: null,
    ...changes,
  };
}

type Surplus = NonNullable<CustomerView['surplus']>;

export function sampleSurplus(baseUnits: string, changes: Partial<Surplus> = {}): Surplus {
  return { isSettled: false, missedDeadline: 'none', ...changes, baseUnits };
}

export function samplePayment(changes: Partial<PublicPayment> = {}): PublicPayment {
  return {
    txid: TXID,
    amount: '0.33540373',
    confirmations: 0,
    status: 'detected',
    isReplaced: false,
    isDeclined: false,
    missedDeadline: false,
    detectedAt: NOW - 2 * MINUTE_MS,
    ...changes,
  };
}

const PAID = { amountPaid: '0.33540373', amountRemaining: '0', paymentUri: null } as const;
const HALF = {
  amountPaid: '0.16770186',
  amountRemaining: '0.16770187',
  payments: [samplePayment({ amount: '0.16770186', status: 'confirming', confirmations: 1 })],
} as const;

/** A part of a payment that the network dropped. */
const DROPPED = samplePayment({ amount: '0.1', status: 'replaced', txid: TXID.replace('9f', '22') });

const USDT = {
  crypto: 'USDT',
  network: { chain: 'ethereum', chainName: 'Ethereum', kind: 'mainnet' },
  depositAddress: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  amountDue: '27.027028',
  amountRemaining: '27.027028',
  exchangeRate: '0.999',
} as const;

/** One transaction for every variant of the page, by name. */
export const SAMPLES: Readonly<Record<string, CustomerView>> = {
  waiting: sampleTransaction(),
  'waiting, 4 minutes left': sampleTransaction({ expiresAt: NOW + 4 * MINUTE_MS - 28_000 }),
  'waiting, test': sampleTransaction({ mode: 'test', isSimulated: true, syncedUntil: null }),
  'waiting, token': sampleTransaction({
    ...USDT,
    paymentUri: `ethereum:0xdAC17F958D2ee523a2206206994597C13D831ec7@1/transfer?address=${USDT.depositAddress}&uint256=27027028`,
  }),
  'waiting, token without contract': sampleTransaction({ ...USDT, paymentUri: null }),
  'waiting, ether': sampleTransaction({
    storeName: 'Gesellschaft für nachhaltige Kaffeespezialitäten und Röstkunst mbH & Co. KG',
    orderId: 'ORDER-2026-11-21-000000000017-with-a-long-name',
    crypto: 'ETH',
    network: { chain: 'ethereum', chainName: 'Ethereum', kind: 'testnet' },
    mode: 'test',
    depositAddress: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    paymentUri: 'ethereum:0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed@11155111?value=4123456780000000000',
    amountDue: '4.12345678',
    amountRemaining: '4.12345678',
    amountFiat: '12345.67',
    currencyFiat: 'PLN',
    exchangeRate: '3012.456789012345678',
    fiatToUsdRate: '0.2748',
    confirmationsRequired: 12,
  }),
  'waiting, branded': sampleTransaction({ brand: BRAND, receipt: { address: null } }),
  'seen, branded': sampleTransaction({
    status: 'awaiting_confirmation',
    ...PAID,
    brand: { ...BRAND, brandColour: '#1d1a5c', supportContact: `https://help.bakery.example/${'orders-'.repeat(12)}` },
    receipt: { address: 'a…@example.com' },
    payments: [samplePayment()],
  }),
  'waiting, part gone': sampleTransaction({ payments: [DROPPED] }),
  partial: sampleTransaction({ status: 'partial', ...HALF }),
  'partial, part gone': sampleTransaction({ status: 'partial', ...HALF, payments: [...HALF.payments, DROPPED] }),
  'partial, many decimals': sampleTransaction({
    status: 'partial',
    crypto: 'ETH',
    network: { chain: 'ethereum', chainName: 'Ethereum', kind: 'mainnet' },
    depositAddress: USDT.depositAddress,
    paymentUri: `ethereum:${USDT.depositAddress}@1?value=4023456780000000001`,
    amountDue: '4.12345678',
    amountPaid: '0.099999999999999999',
    amountRemaining: '4.023456780000000001',
    payments: [samplePayment({ amount: '0.099999999999999999', status: 'confirming', confirmations: 1 })],
  }),
  'checking, window open': sampleTransaction({ syncedUntil: NOW - 6 * MINUTE_MS }),
  'checking, partly paid': sampleTransaction({ status: 'partial', ...HALF, syncedUntil: NOW - 6 * MINUTE_MS }),
  'checking, window over': sampleTransaction({ expiresAt: NOW - 5_000 }),
  'seen, unconfirmed': sampleTransaction({ status: 'awaiting_confirmation', ...PAID, payments: [samplePayment()] }),
  seen: sampleTransaction({
    status: 'awaiting_confirmation',
    ...PAID,
    payments: [
      samplePayment({ status: 'replaced', isReplaced: true, txid: TXID.replace('9f', '11') }),
      samplePayment({ status: 'confirming', confirmations: 2 }),
    ],
  }),
  'seen, blind': sampleTransaction({
    status: 'awaiting_confirmation',
    ...PAID,
    syncedUntil: NOW - 20 * MINUTE_MS,
    payments: [samplePayment({ status: 'confirming', confirmations: 1 })],
  }),
  completed: sampleTransaction({
    status: 'completed',
    ...PAID,
    orderId: 'A-2026-0017',
    brand: BRAND,
    receipt: { address: 'a…@example.com' },
    completedAt: NOW - MINUTE_MS,
    completedBy: 'chain',
    payments: [samplePayment({ status: 'confirmed', confirmations: 3 })],
  }),
  'completed, too much': sampleTransaction({
    status: 'completed',
    ...PAID,
    amountPaid: '0.35',
    amountExcess: '0.01459627',
    successUrl: null,
    cancelUrl: null,
    completedAt: NOW - MINUTE_MS,
    completedBy: 'merchant',
    surplus: sampleSurplus('1459627'),
    payments: [samplePayment({ amount: '0.35', status: 'confirmed', confirmations: 3 })],
  }),
  'completed, excess settled': sampleTransaction({
    status: 'completed',
    ...PAID,
    amountPaid: '0.35',
    amountExcess: '0.01459627',
    surplus: sampleSurplus('1459627', { isSettled: true }),
    completedAt: NOW - MINUTE_MS,
    completedBy: 'chain',
    brand: BRAND,
    payments: [samplePayment({ amount: '0.35', status: 'confirmed', confirmations: 3 })],
  }),
  lost: sampleTransaction({
    status: 'completed',
    completedAt: NOW - MINUTE_MS,
    completedBy: 'chain',
    loss: 'gone',
    payments: [samplePayment({ status: 'replaced' })],
  }),
  'lost, settled': sampleTransaction({
    status: 'completed',
    completedAt: NOW - MINUTE_MS,
    completedBy: 'chain',
    loss: 'gone_settled',
    payments: [samplePayment({ status: 'replaced' })],
  }),
  'lost, not completed': sampleTransaction({
    status: 'awaiting_confirmation',
    expiresAt: NOW - MINUTE_MS,
    loss: 'gone',
    payments: [samplePayment({ status: 'replaced' })],
  }),
  'lost, replaced': sampleTransaction({
    status: 'awaiting_confirmation',
    expiresAt: NOW - MINUTE_MS,
    loss: 'gone',
    payments: [samplePayment({ status: 'replaced', isReplaced: true })],
  }),
  'lost, a part': sampleTransaction({
    status: 'completed',
    ...HALF,
    completedAt: NOW - MINUTE_MS,
    completedBy: 'chain',
    loss: 'gone',
    payments: [...HALF.payments, DROPPED],
  }),
  expired: sampleTransaction({ status: 'expired', expiresAt: NOW - 5 * MINUTE_MS }),
  'expired, of a link': sampleTransaction({
    status: 'expired',
    expiresAt: NOW - 5 * MINUTE_MS,
    cancelUrl: 'https://pay.example/l/0123456789ab',
    canQuoteAnew: true,
  }),
  'expired, partly paid': sampleTransaction({
    status: 'expired',
    expiresAt: NOW - 5 * MINUTE_MS,
    ...HALF,
    surplus: sampleSurplus('16770186'),
  }),
  'expired, late coins dismissed': sampleTransaction({
    status: 'expired',
    expiresAt: NOW - 5 * MINUTE_MS,
    ...PAID,
    isDismissed: true,
    payments: [samplePayment({ status: 'confirmed', confirmations: 3, isDeclined: true })],
  }),
  late: sampleTransaction({
    status: 'expired',
    exception: 'paid_late',
    expiresAt: NOW - 5 * MINUTE_MS,
    ...PAID,
    surplus: sampleSurplus('33540373'),
    payments: [samplePayment({ status: 'confirming', confirmations: 1 })],
  }),
  'late, branded': sampleTransaction({
    status: 'expired',
    exception: 'paid_late',
    expiresAt: NOW - 5 * MINUTE_MS,
    ...PAID,
    surplus: sampleSurplus('33540373'),
    brand: BRAND,
    payments: [samplePayment({ status: 'confirming', confirmations: 1 })],
  }),
  'late, confirmed late': sampleTransaction({
    status: 'expired',
    exception: 'paid_late',
    expiresAt: NOW - MINUTE_MS,
    ...PAID,
    surplus: sampleSurplus('33540373', { missedDeadline: 'all' }),
    payments: [samplePayment({ status: 'confirmed', confirmations: 3 })],
  }),
  'late, partly confirmed late': sampleTransaction({
    status: 'expired',
    exception: 'paid_late',
    expiresAt: NOW - MINUTE_MS,
    ...PAID,
    surplus: sampleSurplus('33540373', { missedDeadline: 'some' }),
    payments: [samplePayment({ status: 'confirmed', confirmations: 3 })],
  }),
  reviewing: sampleTransaction({ exception: 'needs_review', crypto: 'ETH' }),
  failed: sampleTransaction({
    status: 'failed',
    payments: [samplePayment({ status: 'replaced' })],
  }),
  'failed, unconfirmed': sampleTransaction({
    status: 'failed',
    ...PAID,
    payments: [samplePayment({ missedDeadline: true })],
  }),
  'failed, others came later': sampleTransaction({
    status: 'failed',
    ...PAID,
    payments: [samplePayment({ status: 'replaced' }), samplePayment({ status: 'confirmed', confirmations: 3 })],
  }),
  'failed, rejected': sampleTransaction({
    status: 'failed',
    isRejected: true,
    payments: [samplePayment({ status: 'confirmed', confirmations: 3, isDeclined: true })],
  }),
};
