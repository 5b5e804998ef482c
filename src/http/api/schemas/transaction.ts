import { type Static, Type } from 'typebox';
import { PAYMENT_STATUSES, TRANSACTION_TYPES } from '../../../../machines/index.ts';
import { DECISIONS, MAX_DECISION_REASON_CHARACTERS } from '../../../payments/index.ts';
import { TerminalError } from '../../../platform/errors.ts';
import { isId } from '../../../platform/ids.ts';
import { ERROR_CODES } from '../error-codes.ts';
import {
  CoinAmount,
  CryptoSymbol,
  ExactNumber,
  FiatCurrency,
  Metadata,
  NullableText,
  NullableTimestamp,
  nullable,
  oneOf,
  ref,
  Timestamp,
  TransactionException,
  TransactionStatus,
} from './primitives.ts';

export const LineItem = Type.Object(
  {
    name: Type.String(),
    quantity: Type.Integer(),
    price: ExactNumber('Unit price in `currency_fiat`.'),
  },
  { $id: 'LineItem', description: 'A line item.' },
);

export const PaymentSplit = Type.Object(
  {
    txid: Type.Optional(
      Type.String({ description: 'Hash of the on-chain transaction. Absent if the coins have no known transaction.' }),
    ),
    amount_crypto: CoinAmount('Amount of the payment.'),
    confirmations: Type.Integer({
      description: 'Number of confirmations, including its own block. 0 while it is in no block.',
    }),
    status: oneOf(PAYMENT_STATUSES, { description: 'A replaced payment no longer counts.' }),
    detected_at: Timestamp('When it was first seen.'),
    confirmed_at: NullableTimestamp('When it reached the required confirmations; null until then.'),
  },
  { $id: 'PaymentSplit', description: 'One on-chain payment toward a transaction.' },
);

export const Transaction = Type.Object(
  {
    transaction_id: Type.String(),
    status: ref(TransactionStatus),
    exception: Type.Optional(ref(TransactionException)),
    type: oneOf(TRANSACTION_TYPES),
    crypto: ref(CryptoSymbol),
    deposit_address: Type.String({ description: 'The address to pay to; used for this transaction only.' }),
    amount_crypto: CoinAmount('The amount due at the locked rate, rounded up.'),
    amount_fiat: ExactNumber('The price, in `currency_fiat`.'),
    amount_usd: ExactNumber('The price in USD when the transaction was created.'),
    amount_paid: CoinAmount(
      'Amount received, including unconfirmed payments; after a further decision, without coins declined before.',
    ),
    amount_remaining: CoinAmount('Amount still due; 0 if none.'),
    currency_fiat: ref(FiatCurrency),
    fiat_to_usd_rate: ExactNumber('USD per unit of `currency_fiat`, locked at creation.'),
    exchange_rate: ExactNumber('USD per whole coin, locked at creation.'),
    confirmations_required: Type.Integer({ description: 'Fixed at creation.' }),
    payment_url: Type.String({ format: 'uri', description: 'The hosted payment page for the customer.' }),
    order_id: NullableText('Your own reference.'),
    customer_email: NullableText(
      'As sent in the request, or as the customer entered it on the payment page for the receipt.',
    ),
    items: nullable<Static<typeof LineItem>[]>('array', {
      items: ref(LineItem),
      description: 'The line items of a detailed transaction; null for others.',
    }),
    payments: Type.Array(ref(PaymentSplit), { description: 'On-chain payments detected toward this transaction.' }),
    metadata: Metadata({ description: 'As sent in the request.' }),
    success_url: NullableText('As sent in the request.'),
    cancel_url: NullableText('As sent in the request.'),
    created_at: Timestamp('When the payment window opened.'),
    updated_at: Timestamp('When any of the fields above last changed.'),
    expires_at: Timestamp('When the payment window closes.'),
    amounts: Type.Object(
      {
        crypto: Type.String({ description: '`amount_crypto`.' }),
        fiat: Type.String({ description: '`amount_fiat`.' }),
        usd: Type.String({ description: '`amount_usd`.' }),
        paid: Type.String({ description: '`amount_paid`.' }),
        remaining: Type.String({ description: '`amount_remaining`.' }),
      },
      { description: 'The same amounts as exact decimal strings, for languages whose numbers are floats.' },
    ),
    step: Type.Integer({
      description: 'Increases with every event that changes the transaction. A decision names the step it applies to.',
    }),
  },
  { $id: 'Transaction', description: 'A requested payment, with all payments received toward it.' },
);

export const TransactionEnvelope = Type.Object(
  { success: Type.Literal(true), data: ref(Transaction) },
  { $id: 'TransactionEnvelope', description: 'The transaction.' },
);

export const TransactionParams = Type.Object({
  transaction_id: Type.String({ description: 'The id returned by create.' }),
});

/** The id in the path. A malformed id is reported as not found, without a query. */
export function requireTransactionId({ transaction_id: id }: Static<typeof TransactionParams>): string {
  if (isId('txn', id)) return id;
  throw new TerminalError('TRANSACTION_NOT_FOUND', ERROR_CODES.TRANSACTION_NOT_FOUND.message);
}

export const DecisionBody = Type.Object(
  {
    action: oneOf(DECISIONS, {
      description: 'mark_paid or dismiss while the exception is paid_late; confirm or reject while it is needs_review.',
    }),
    reason: Type.String({
      minLength: 1,
      maxLength: MAX_DECISION_REASON_CHARACTERS,
      description: 'The reason, recorded in the timeline and the audit log.',
    }),
    seen_step: Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description:
        'The `step` of the transaction when you read it. If an event has changed it since, the decision is rejected.',
    }),
  },
  { additionalProperties: false },
);
