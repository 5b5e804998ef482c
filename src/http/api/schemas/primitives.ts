import { type Static, type TSchema, type TSchemaOptions, Type } from 'typebox';
import {
  CRYPTO_SYMBOLS,
  FIAT_CURRENCIES,
  TRANSACTION_EXCEPTIONS,
  TRANSACTION_STATUSES,
} from '../../../../machines/index.ts';
import { HTTP_URL_PATTERN } from '../validation-problem.ts';

/**
 * A reference to a schema registered by its `$id`: OpenAPI gets the `$ref`, handlers the type.
 * `options` apply to the reference, such as the description of a response.
 */
export function ref<T extends TSchema>(schema: T, options: TSchemaOptions = {}) {
  const { $id } = schema as { $id?: string };
  if ($id === undefined) throw new Error('Only a schema with an $id can be referred to');
  return Type.Unsafe<Static<T>>({ ...options, $ref: $id });
}

export function oneOf<T extends string>(values: readonly T[], options: TSchemaOptions = {}) {
  return Type.Unsafe<T>({ ...options, type: 'string', enum: [...values] });
}

/** The type of a value or null, in the JSON Schema form of OpenAPI 3.1. */
export function nullable<T>(type: string, options: TSchemaOptions = {}) {
  return Type.Unsafe<T | null>({ ...options, type: [type, 'null'] });
}

/** One schema per kind of value; closed sets come from the vocabulary of the charts. */

export const CryptoSymbol = oneOf(CRYPTO_SYMBOLS, { $id: 'CryptoSymbol', description: 'A coin or token.' });
export const FiatCurrency = oneOf(FIAT_CURRENCIES, {
  $id: 'FiatCurrency',
  description: 'A currency for prices.',
});
export const TransactionStatus = oneOf(TRANSACTION_STATUSES, {
  $id: 'TransactionStatus',
  description: 'Status of the transaction.',
});
export const TransactionException = oneOf(TRANSACTION_EXCEPTIONS, {
  $id: 'TransactionException',
  description:
    'Why the payment awaits your decision. paid_late: coins arrived within 6 hours after the window closed; the status stays expired. needs_review: the balance of an ETH or ERC-20 address dropped and the payment is unknown; the status is pending.',
});

export const Timestamp = (description: string) => Type.String({ format: 'date-time', description });
export const NullableTimestamp = (description: string) =>
  nullable<string>('string', { format: 'date-time', description });
/**
 * A number that handlers give as the text of an exact decimal; it is written with the same digits.
 */
export const ExactNumber = (description: string) =>
  Type.Unsafe<string>({ type: 'number', format: 'double', description });
export const NullableExactNumber = (description: string) =>
  nullable<string>('number', { format: 'double', description });
export const CoinAmount = (description: string) => ExactNumber(`${description} In whole coins.`);
export const NullableText = (description: string) => nullable<string>('string', { description });

/** Free-form: passed through unchanged. */
export const Metadata = (options: TSchemaOptions) =>
  nullable<Record<string, unknown>>('object', { ...options, additionalProperties: true });

/** RFC 5321 allows at most 254 characters. */
const MAX_EMAIL_CHARACTERS = 254;
const MAX_URL_CHARACTERS = 2_048;

export const NullableEmail = (description: string) =>
  nullable<string>('string', { format: 'email', maxLength: MAX_EMAIL_CHARACTERS, description });
/** Shown to customers as a link, so no other scheme is allowed. */
export const NullableHttpUrl = (description: string) =>
  nullable<string>('string', { format: 'uri', pattern: HTTP_URL_PATTERN, maxLength: MAX_URL_CHARACTERS, description });
