import { Type } from 'typebox';
import { MODES, PAYMENT_EVENTS } from '../../../../machines/index.ts';
import {
  CryptoSymbol,
  FiatCurrency,
  Metadata,
  NullableText,
  Timestamp,
  TransactionException,
  TransactionStatus,
} from './primitives.ts';
import { oneOf, ref } from './ref.ts';

const DecimalText = (description: string) =>
  Type.String({ pattern: '^[0-9]+(\\.[0-9]+)?$', description: `${description} A decimal.` });

/** The body of a payment event, as `paymentEventBody` of `payments` writes it. */
export const PaymentWebhook = Type.Object(
  {
    id: Type.String({ description: 'Id of the event, the same on every attempt and for every endpoint.' }),
    event: oneOf(PAYMENT_EVENTS, { description: 'What happened.' }),
    mode: oneOf(MODES, {
      description: 'live, or test if it was created with a test key: test payments pay nothing.',
    }),
    timestamp: Timestamp('When it happened.'),
    sequence: Type.Integer({
      minimum: 1,
      description: 'Sequence number among the events of this transaction: 1, 2, 3 …',
    }),
    transaction_id: Type.String({ description: 'The transaction.' }),
    status: ref(TransactionStatus),
    exception: Type.Optional(ref(TransactionException)),
    currency_crypto: ref(CryptoSymbol),
    currency_fiat: ref(FiatCurrency),
    amount_fiat: DecimalText('The price, in `currency_fiat`.'),
    amount_usd: DecimalText('The price in USD when the transaction was created.'),
    amount_crypto: DecimalText('The amount due, in whole coins; not the amount paid.'),
    order_id: NullableText('Your own reference.'),
    items: Type.Optional(
      Type.Array(
        Type.Object({
          name: Type.String(),
          quantity: Type.Integer(),
          price: DecimalText('Unit price in `currency_fiat`.'),
        }),
        { description: 'The line items; only for a detailed transaction.' },
      ),
    ),
    receipt_url: Type.Optional(
      Type.String({
        format: 'uri',
        description: 'The payment page, which is the receipt; only in payment.completed and payment.overpaid.',
      }),
    ),
    metadata: Metadata({ description: 'As sent in the request.' }),
  },
  { $id: 'PaymentWebhook', description: 'The body sent to your endpoint for events of a payment.' },
);
