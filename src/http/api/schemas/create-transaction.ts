import { Type } from 'typebox';
import { CRYPTO_SYMBOLS, FIAT_CURRENCIES } from '../../../../machines/index.ts';
import { MAX_METADATA_BYTES, MAX_METADATA_KEYS, MAX_METADATA_STRING_CHARACTERS } from '../metadata.ts';
import { LINE_PATTERN, PRINTABLE_ASCII_PATTERN } from '../validation-problem.ts';
import { Metadata, NullableEmail, NullableHttpUrl, oneOf, ref } from './primitives.ts';
import { TransactionEnvelope } from './transaction.ts';

export const DEFAULT_CURRENCY = 'USD';

const crypto = oneOf(CRYPTO_SYMBOLS, { description: 'The coin or token the customer pays with.' });

const COMMON_FIELDS = {
  metadata: Type.Optional(
    Metadata({
      description: `Your own data, returned unchanged: at most ${MAX_METADATA_KEYS} keys, strings of at most ${MAX_METADATA_STRING_CHARACTERS} characters, ${MAX_METADATA_BYTES} bytes of JSON in total.`,
    }),
  ),
  customer_email: Type.Optional(NullableEmail('Customer email address.')),
  success_url: Type.Optional(NullableHttpUrl('Where the payment page links to after payment.')),
  cancel_url: Type.Optional(NullableHttpUrl('Where the payment page links to for customers who cancel.')),
};

export const CreateTransactionBody = Type.Object(
  {
    crypto,
    amount: Type.Number({
      format: 'double',
      exclusiveMinimum: 0,
      description: 'The price in `currency_fiat`, with at most 2 decimals; worth at least 1.00 USD.',
    }),
    currency_fiat: Type.Optional(
      oneOf(FIAT_CURRENCIES, { default: DEFAULT_CURRENCY, description: 'The currency of `amount`.' }),
    ),
    ...COMMON_FIELDS,
  },
  { additionalProperties: false },
);

const MAX_ITEMS = 100;
const MAX_ITEM_NAME_CHARACTERS = 200;
const MAX_QUANTITY = 1_000_000;
export const MAX_ORDER_ID_CHARACTERS = 255;

const ItemInput = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: MAX_ITEM_NAME_CHARACTERS,
      pattern: LINE_PATTERN,
      description: 'Name of the item.',
    }),
    quantity: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_QUANTITY, default: 1, description: 'Quantity.' })),
    price: Type.Number({
      format: 'double',
      minimum: 0,
      description: 'Unit price in `currency_fiat`, with at most 2 decimals.',
    }),
  },
  { additionalProperties: false },
);

export const CreateDetailedBody = Type.Object(
  {
    crypto,
    items: Type.Array(ItemInput, {
      minItems: 1,
      maxItems: MAX_ITEMS,
      description:
        'The line items. The amount of the transaction is the sum of price × quantity, worth at least 1.00 USD.',
    }),
    order_id: Type.String({
      minLength: 1,
      maxLength: MAX_ORDER_ID_CHARACTERS,
      pattern: LINE_PATTERN,
      description: 'Your own reference, returned in responses and webhooks.',
    }),
    currency_fiat: Type.Optional(
      oneOf(FIAT_CURRENCIES, { default: DEFAULT_CURRENCY, description: 'The currency of the prices.' }),
    ),
    ...COMMON_FIELDS,
  },
  { additionalProperties: false },
);

const MAX_IDEMPOTENCY_KEY_CHARACTERS = 255;

export const CreateHeaders = Type.Object({
  'X-Idempotency-Key': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: MAX_IDEMPOTENCY_KEY_CHARACTERS,
      pattern: PRINTABLE_ASCII_PATTERN,
      description:
        'Any text, e.g. a UUID. A repeated create with the same key and body returns the original transaction and creates none.',
    }),
  ),
  'X-Customer-IP': Type.Optional(
    Type.String({
      description:
        'IP address of your customer, IPv4 or IPv6. It limits each customer to one open payment: while one is pending with nothing paid, creating another for the same address is rejected with 409 ACTIVE_TRANSACTION_EXISTS. The address is not stored, only a keyed hash until the payment has ended.',
    }),
  ),
});

export const createdResponse = ref(TransactionEnvelope, {
  description: 'The new transaction, or the original one if the idempotency key was used before.',
  headers: {
    'X-Idempotency-Replayed': {
      type: 'string',
      enum: ['true'],
      description: 'Present if the idempotency key was used before and nothing was created.',
    },
  },
});

/**
 * Parameters of `GET /pay`. Unknown ones are accepted, because sites on which a link is shared add
 * their own (`utm_source`, `fbclid`).
 */
export const PayQuery = Type.Object({
  pk: Type.String({ description: 'Your publishable key, pk_live_... or pk_test_...' }),
  amount: Type.String({
    description:
      'The price with at most 2 decimals, like 24.99; worth at least 1.00 USD. Ignored by a link with a fixed price.',
  }),
  crypto: oneOf(CRYPTO_SYMBOLS, { description: 'The coin or token the customer pays with.' }),
  currency: Type.Optional(
    oneOf(FIAT_CURRENCIES, {
      description: `The currency of \`amount\`; default ${DEFAULT_CURRENCY}. Ignored with \`link\`, which has its own currency.`,
    }),
  ),
  link: Type.Optional(
    Type.String({ description: 'The slug of your payment link, in the mode of the key; its terms apply.' }),
  ),
});
