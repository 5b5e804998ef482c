import type { FieldTable } from '../check.ts';
import { ADDED_TO_TRANSACTION, ADDED_TRANSACTION_TYPES } from './additions.ts';
import { CRYPTO_SYMBOLS, FIAT_CURRENCIES, TRANSACTION_EXCEPTIONS, TRANSACTION_STATUSES } from './values.ts';

const LINE_ITEM: FieldTable = {
  name: { type: 'string', required: 'yes' },
  quantity: { type: 'integer', required: 'no' },
  price: { type: 'number', required: 'yes' },
};

/** PaymentSplit: one on-chain payment toward a transaction. The values of `status` are a decision of the service. */
const PAYMENT_SPLIT: FieldTable = {
  txid: { type: 'string', required: 'no', absent: 'when no transaction on the chain explains the coins' },
  amount_crypto: { type: 'number', required: 'no' },
  confirmations: { type: 'integer', required: 'no' },
  status: { type: { oneOf: ['detected', 'confirming', 'confirmed', 'replaced'] }, required: 'no' },
  detected_at: { type: 'date-time', required: 'no' },
  confirmed_at: { type: 'date-time', required: 'no', nullable: true },
};

export const TRANSACTION: FieldTable = {
  transaction_id: { type: 'string', required: 'yes' },
  status: { type: { oneOf: TRANSACTION_STATUSES }, required: 'yes' },
  exception: {
    type: { oneOf: TRANSACTION_EXCEPTIONS },
    required: 'no',
    absent: 'unless the payment waits for the decision of the merchant',
  },
  type: { type: { oneOf: ['basic', 'detailed', ...ADDED_TRANSACTION_TYPES] }, required: 'no' },
  crypto: { type: { oneOf: CRYPTO_SYMBOLS }, required: 'yes' },
  deposit_address: { type: 'string', required: 'no' },
  amount_crypto: { type: 'number', required: 'no' },
  amount_fiat: { type: 'number', required: 'yes' },
  amount_usd: { type: 'number', required: 'yes' },
  amount_paid: { type: 'number', required: 'no' },
  amount_remaining: { type: 'number', required: 'no' },
  currency_fiat: { type: { oneOf: FIAT_CURRENCIES }, required: 'yes' },
  fiat_to_usd_rate: { type: 'number', required: 'no' },
  exchange_rate: { type: 'number', required: 'no' },
  confirmations_required: { type: 'integer', required: 'no' },
  payment_url: { type: 'uri', required: 'no' },
  order_id: { type: 'string', required: 'no', nullable: true },
  customer_email: { type: 'email', required: 'no', nullable: true },
  items: { type: { listOf: { fields: LINE_ITEM } }, required: 'no', nullable: true },
  payments: { type: { listOf: { fields: PAYMENT_SPLIT } }, required: 'no' },
  metadata: { type: 'free-form object', required: 'no', nullable: true },
  success_url: { type: 'uri', required: 'no', nullable: true },
  cancel_url: { type: 'uri', required: 'no', nullable: true },
  created_at: { type: 'date-time', required: 'yes' },
  updated_at: { type: 'date-time', required: 'no' },
  expires_at: { type: 'date-time', required: 'yes' },
  ...ADDED_TO_TRANSACTION,
};

const PAGINATION: FieldTable = {
  limit: { type: 'integer', required: 'yes' },
  offset: { type: 'integer', required: 'yes' },
  total: { type: 'integer', required: 'yes' },
};

/** `data` of a paginated list; its layout is a decision of the service. */
export function pageOf(name: string, row: FieldTable): FieldTable {
  return {
    [name]: { type: { listOf: { fields: row } }, required: 'yes' },
    pagination: { type: { fields: PAGINATION }, required: 'yes' },
  };
}

/** The open payment in a 409; its shape is a decision of the service. */
export const EXISTING_TRANSACTION: FieldTable = {
  transaction_id: { type: 'string', required: 'yes' },
  status: { type: { oneOf: ['pending'] }, required: 'yes' },
  crypto: { type: { oneOf: CRYPTO_SYMBOLS }, required: 'yes' },
  amount_fiat: { type: 'number', required: 'yes' },
  currency_fiat: { type: { oneOf: FIAT_CURRENCIES }, required: 'yes' },
  payment_url: { type: 'uri', required: 'yes' },
  expires_at: { type: 'date-time', required: 'yes' },
};
