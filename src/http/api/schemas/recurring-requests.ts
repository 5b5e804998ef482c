import { Type } from 'typebox';
import { CRYPTO_SYMBOLS, FIAT_CURRENCIES, INTERVALS, SCHEDULE_STATUSES } from '../../../../machines/index.ts';
import { LINE_PATTERN, MOMENT_PATTERN } from '../validation-problem.ts';
import { CreateHeaders, CreateTransactionBody, DEFAULT_CURRENCY } from './create-transaction.ts';
import { NullableHttpUrl } from './primitives.ts';
import { nullable, oneOf } from './ref.ts';
import { PAGE_QUERY } from './transaction-list.ts';

/** RFC 5321 allows at most 254 characters. */
const MAX_EMAIL_CHARACTERS = 254;
const MAX_REFERENCE_CHARACTERS = 255;
const MAX_DESCRIPTION_CHARACTERS = 500;
/** A hundred years of months. */
const MAX_PERIODS = 1_200;

const { amount, metadata } = CreateTransactionBody.properties;

export const CreateScheduleBody = Type.Object(
  {
    reference: Type.Optional(
      nullable<string>('string', {
        minLength: 1,
        maxLength: MAX_REFERENCE_CHARACTERS,
        pattern: LINE_PATTERN,
        description: 'Your own name for it, like the number of the customer; given back as it is and in webhooks.',
      }),
    ),
    customer_email: Type.String({
      format: 'email',
      maxLength: MAX_EMAIL_CHARACTERS,
      description: 'The email address of the customer, who is asked for consent first.',
    }),
    amount,
    currency_fiat: Type.Optional(
      oneOf(FIAT_CURRENCIES, { default: DEFAULT_CURRENCY, description: 'The currency of `amount`.' }),
    ),
    interval: oneOf(INTERVALS, { description: 'How often a payment is requested.' }),
    description: Type.String({
      minLength: 1,
      maxLength: MAX_DESCRIPTION_CHARACTERS,
      pattern: LINE_PATTERN,
      description: 'What it is for, on one line: the customer reads it in every mail.',
    }),
    crypto: Type.Optional(
      oneOf(CRYPTO_SYMBOLS, {
        description: 'The coin or token to pay with. Left out, the customer chooses among yours.',
      }),
    ),
    start_at: Type.Optional(
      nullable<string>('string', {
        pattern: MOMENT_PATTERN,
        description: 'When period 1 is due. Left out, it is due when the customer confirms.',
      }),
    ),
    max_periods: Type.Optional(
      nullable<number>('integer', {
        minimum: 1,
        maximum: MAX_PERIODS,
        description: 'The last period there is, skipped ones counted. Left out, there is none.',
      }),
    ),
    metadata,
    success_url: Type.Optional(NullableHttpUrl('Where the payment pages link to when a period is paid.')),
  },
  { additionalProperties: false },
);

export const CreateScheduleHeaders = Type.Object({
  'X-Idempotency-Key': Type.Optional(
    Type.String({
      ...CreateHeaders.properties['X-Idempotency-Key'],
      description:
        'Any text of yours, e.g. a UUID. A create that is repeated with the same key and body answers with the original and creates none. Keys of transactions are others.',
    }),
  ),
});

export const ListSchedulesQuery = Type.Object(
  {
    ...PAGE_QUERY,
    status: Type.Optional(oneOf(SCHEDULE_STATUSES, { description: 'Only those of this status.' })),
    reference: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_REFERENCE_CHARACTERS,
        pattern: LINE_PATTERN,
        description: 'Only those with this reference of yours.',
      }),
    ),
  },
  { additionalProperties: false },
);

export const ListPeriodsQuery = Type.Object(PAGE_QUERY, { additionalProperties: false });
