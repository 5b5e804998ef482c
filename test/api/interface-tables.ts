import { CRYPTO_SYMBOLS } from '../../machines/index.ts';

/**
 * The tables of the interface document, written down once more by hand and independently of the schemas, so that a change
 * of the schemas has to be made here on purpose as well.
 */
export interface FieldRule {
  readonly type: 'string' | 'number' | 'integer' | 'object' | 'array' | 'uri' | 'date-time';
  /** One of these, when only some are allowed. */
  readonly values?: readonly string[];
  readonly nullable?: true;
  /** Left out in some states; every other field is always there. */
  readonly sometimes?: true;
}

const STATUSES = ['pending', 'awaiting_confirmation', 'completed', 'partial', 'expired', 'failed'];

export const TRANSACTION_FIELDS: Readonly<Record<string, FieldRule>> = {
  transaction_id: { type: 'string' },
  status: { type: 'string', values: STATUSES },
  exception: { type: 'string', values: ['paid_late', 'needs_review'], sometimes: true },
  type: { type: 'string', values: ['basic', 'detailed', 'billing'] },
  crypto: { type: 'string', values: CRYPTO_SYMBOLS },
  deposit_address: { type: 'string' },
  amount_crypto: { type: 'number' },
  amount_fiat: { type: 'number' },
  amount_usd: { type: 'number' },
  amount_paid: { type: 'number' },
  amount_remaining: { type: 'number' },
  currency_fiat: { type: 'string', values: ['USD', 'PLN', 'EUR', 'GBP'] },
  fiat_to_usd_rate: { type: 'number' },
  exchange_rate: { type: 'number' },
  confirmations_required: { type: 'integer' },
  payment_url: { type: 'uri' },
  order_id: { type: 'string', nullable: true },
  customer_email: { type: 'string', nullable: true },
  items: { type: 'array', nullable: true },
  payments: { type: 'array' },
  metadata: { type: 'object', nullable: true },
  success_url: { type: 'string', nullable: true },
  cancel_url: { type: 'string', nullable: true },
  created_at: { type: 'date-time' },
  updated_at: { type: 'date-time' },
  expires_at: { type: 'date-time' },
};

const PAYMENT_FIELDS: Readonly<Record<string, FieldRule>> = {
  txid: { type: 'string', sometimes: true },
  amount_crypto: { type: 'number' },
  confirmations: { type: 'integer' },
  status: { type: 'string', values: ['detected', 'confirming', 'confirmed', 'replaced'] },
  detected_at: { type: 'date-time' },
  confirmed_at: { type: 'date-time', nullable: true },
};

/** What is wrong with a value by these rules; empty when it has exactly the fields it should. */
function violations(value: unknown, rules: Readonly<Record<string, FieldRule>>): string[] {
  if (typeof value !== 'object' || value === null) return ['it is no object'];
  const record = value as Record<string, unknown>;
  const unknown = Object.keys(record).filter((name) => !Object.hasOwn(rules, name));
  return [
    ...unknown.map((name) => `${name} is not part of the interface`),
    ...Object.entries(rules).flatMap(([name, rule]) => {
      if (!Object.hasOwn(record, name)) return rule.sometimes ? [] : [`${name} is missing`];
      return fits(record[name], rule) ? [] : [`${name} is ${JSON.stringify(record[name])}`];
    }),
  ];
}

/** The same for a whole transaction with its payments. */
export function transactionViolations(value: unknown): string[] {
  const own = violations(value, TRANSACTION_FIELDS);
  if (own.length > 0) return own;
  const { payments } = value as { payments: unknown[] };
  return payments.flatMap((payment, place) =>
    violations(payment, PAYMENT_FIELDS).map((problem) => `payments[${place}]: ${problem}`),
  );
}

// Helpers

const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

function fits(value: unknown, { type, values, nullable }: FieldRule): boolean {
  if (value === null) return nullable === true;
  switch (type) {
    case 'number':
      return typeof value === 'number';
    case 'integer':
      return Number.isSafeInteger(value);
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && !Array.isArray(value);
    case 'date-time':
      return typeof value === 'string' && DATE_TIME.test(value) && !Number.isNaN(Date.parse(value));
    case 'uri':
      return typeof value === 'string' && URL.canParse(value);
    case 'string':
      return typeof value === 'string' && (values === undefined || values.includes(value));
  }
}
