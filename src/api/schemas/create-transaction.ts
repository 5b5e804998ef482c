import { Type } from 'typebox';
import { CRYPTO_SYMBOLS, FIAT_CURRENCIES } from '../../../machines/index.ts';
import { MAX_METADATA_BYTES, MAX_METADATA_KEYS, MAX_METADATA_STRING_CHARACTERS } from '../metadata.ts';
import { PRINTABLE_ASCII_PATTERN } from '../validation-problem.ts';
import { Metadata, NullableEmail, NullableHttpUrl } from './primitives.ts';
import { oneOf } from './ref.ts';

export const DEFAULT_CURRENCY = 'USD';

export const CreateTransactionBody = Type.Object(
  {
    crypto: oneOf(CRYPTO_SYMBOLS, { description: 'The coin or token the customer pays with.' }),
    amount: Type.Number({
      exclusiveMinimum: 0,
      description: 'The price in `currency_fiat`, with at most 2 decimals; worth at least 1.00 USD.',
    }),
    currency_fiat: Type.Optional(
      oneOf(FIAT_CURRENCIES, { default: DEFAULT_CURRENCY, description: 'The currency of `amount`.' }),
    ),
    metadata: Type.Optional(
      Metadata({
        description: `Anything of yours, given back as it is: at most ${MAX_METADATA_KEYS} keys, strings of at most ${MAX_METADATA_STRING_CHARACTERS} characters, ${MAX_METADATA_BYTES} bytes of JSON in all.`,
      }),
    ),
    customer_email: Type.Optional(NullableEmail('The e-mail address of the customer.')),
    success_url: Type.Optional(NullableHttpUrl('Where the payment page links to when it is paid.')),
    cancel_url: Type.Optional(NullableHttpUrl('Where the payment page links to for going back.')),
  },
  { additionalProperties: false },
);

const MAX_IDEMPOTENCY_KEY_CHARACTERS = 255;

export const IdempotencyHeaders = Type.Object({
  'X-Idempotency-Key': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: MAX_IDEMPOTENCY_KEY_CHARACTERS,
      pattern: PRINTABLE_ASCII_PATTERN,
      description:
        'Any text of yours, e.g. a UUID. A create that is repeated with the same key and body answers with the original transaction and creates none.',
    }),
  ),
});
