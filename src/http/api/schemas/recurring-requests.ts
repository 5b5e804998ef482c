import { Type } from 'typebox';
import { CRYPTO_SYMBOLS, FIAT_CURRENCIES, INTERVALS, SCHEDULE_STATUSES } from '../../../../machines/index.ts';
import { LINE_PATTERN, MOMENT_PATTERN } from '../validation-problem.ts';
import { CreateHeaders, CreateTransactionBody, DEFAULT_CURRENCY } from './create-transaction.ts';
import { NullableHttpUrl, nullable, oneOf } from './primitives.ts';
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
        description: 'Your own reference, such as a customer number; returned in responses and webhooks.',
      }),
    ),
    customer_email: Type.String({
      format: 'email',
      maxLength: MAX_EMAIL_CHARACTERS,
      description: 'Customer email address. The customer must confirm first.',
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
      description: 'What it is for, on one line; shown to the customer in every email.',
    }),
    crypto: Type.Optional(
      oneOf(CRYPTO_SYMBOLS, {
        description: 'The coin or token to pay with. If omitted, the customer chooses among those you accept.',
      }),
    ),
    start_at: Type.Optional(
      nullable<string>('string', {
        pattern: MOMENT_PATTERN,
        description: 'When period 1 is due. If omitted, it is due when the customer confirms.',
      }),
    ),
    max_periods: Type.Optional(
      nullable<number>('integer', {
        minimum: 1,
        maximum: MAX_PERIODS,
        description: 'Number of periods, including skipped ones. If omitted, there is no limit.',
      }),
    ),
    metadata,
    success_url: Type.Optional(NullableHttpUrl('Where the payment pages link to after a period is paid.')),
  },
  { additionalProperties: false },
);

export const CreateScheduleHeaders = Type.Object({
  'X-Idempotency-Key': Type.Optional(
    Type.String({
      ...CreateHeaders.properties['X-Idempotency-Key'],
      description:
        'Any text, e.g. a UUID. A repeated create with the same key and body returns the original and creates none. Keys of transactions are separate.',
    }),
  ),
});

export const ListSchedulesQuery = Type.Object(
  {
    ...PAGE_QUERY,
    status: Type.Optional(oneOf(SCHEDULE_STATUSES, { description: 'Only those with this status.' })),
    reference: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_REFERENCE_CHARACTERS,
        pattern: LINE_PATTERN,
        description: 'Only those with this reference.',
      }),
    ),
  },
  { additionalProperties: false },
);

export const ListPeriodsQuery = Type.Object(PAGE_QUERY, { additionalProperties: false });
