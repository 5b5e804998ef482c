import { Type } from 'typebox';
import { FIAT_CURRENCIES } from '../../../../machines/index.ts';
import { MAX_IMAGE_BYTES, MAX_IMAGE_SIDE } from '../../../images/index.ts';
import {
  LINK_STATES,
  MAX_DESCRIPTION_CHARACTERS,
  MAX_LINK_USES,
  MAX_LISTED_EXCESS,
  MAX_TITLE_CHARACTERS,
  SLUG_PATTERN,
  SLUG_RULE,
} from '../../../links/index.ts';
import { LINE_PATTERN, MOMENT_PATTERN, PRINTABLE_PATTERN } from '../validation-problem.ts';
import { DEFAULT_CURRENCY } from './create-transaction.ts';
import {
  CryptoSymbol,
  FiatCurrency,
  NullableExactNumber,
  NullableHttpUrl,
  NullableText,
  NullableTimestamp,
  nullable,
  oneOf,
  ref,
  Timestamp,
} from './primitives.ts';
import { PAGE_QUERY, Pagination } from './transaction-list.ts';

export const PaymentLink = Type.Object(
  {
    slug: Type.String({ description: 'Name of the link, unique among your links of this mode.' }),
    url: Type.String({ format: 'uri', description: 'The short URL to share. It contains no key.' }),
    title: Type.String({ description: 'What is sold; shown to customers.' }),
    description: NullableText('Description shown to customers.'),
    image_url: nullable<string>('string', { format: 'uri', description: 'The image shown to customers.' }),
    amount: NullableExactNumber('The fixed price in `currency_fiat`; null if the customer chooses the amount.'),
    min_amount: NullableExactNumber('The smallest amount a customer may choose.'),
    max_amount: NullableExactNumber('The largest amount a customer may choose.'),
    currency_fiat: ref(FiatCurrency),
    cryptos: Type.Array(ref(CryptoSymbol), {
      description: 'The coins to choose from; empty for all that you accept.',
    }),
    success_url: NullableText('Where the payment page links to after payment.'),
    expires_at: NullableTimestamp('Until when it opens payments; null for no expiry.'),
    max_uses: nullable<number>('integer', { description: 'How often it can be paid; null for no limit.' }),
    uses: Type.Integer({ description: 'Completed payments, at most `max_uses`.' }),
    excess_transaction_ids: Type.Array(Type.String(), {
      description: `Completed payments beyond \`max_uses\`, which were open when it was used up: fulfil or refund each. At most ${MAX_LISTED_EXCESS}, oldest first.`,
    }),
    state: oneOf(LINK_STATES, { description: 'open: it opens payments. used_up: it was paid `max_uses` times.' }),
    created_at: Timestamp('When it was created.'),
    closed_at: NullableTimestamp('When you closed it; null if you did not.'),
  },
  { $id: 'PaymentLink', description: 'A URL to share, where customers pay.' },
);

export const PaymentLinkEnvelope = Type.Object(
  { success: Type.Literal(true), data: ref(PaymentLink) },
  { $id: 'PaymentLinkEnvelope', description: 'The payment link.' },
);

export const PaymentLinkListEnvelope = Type.Object(
  {
    success: Type.Literal(true),
    data: Type.Object({ links: Type.Array(ref(PaymentLink)), pagination: ref(Pagination) }),
  },
  { $id: 'PaymentLinkListEnvelope', description: 'A page of payment links, newest first.' },
);

const Amount = (description: string) => Type.Number({ format: 'double', exclusiveMinimum: 0, description });

export const CreatePaymentLinkBody = Type.Object(
  {
    slug: Type.Optional(
      Type.String({ pattern: SLUG_PATTERN, description: `${SLUG_RULE}. Default: an unguessable one.` }),
    ),
    title: Type.String({
      minLength: 1,
      maxLength: MAX_TITLE_CHARACTERS,
      pattern: LINE_PATTERN,
      description: 'What is sold; shown to customers.',
    }),
    description: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_DESCRIPTION_CHARACTERS,
        pattern: PRINTABLE_PATTERN,
        description: 'Description shown to customers.',
      }),
    ),
    image: Type.Optional(
      Type.String({
        description: `An image shown to customers, as a base64 data URL like \`data:image/png;base64,iVBORw0KGgo…\`: PNG, JPEG or WebP, of at most ${MAX_IMAGE_BYTES / 1_024} KB and ${MAX_IMAGE_SIDE} pixels a side. It is public to anyone with its URL, including metadata such as the location of a photo.`,
      }),
    ),
    amount: Type.Optional(
      Amount(
        'The fixed price in `currency_fiat`, with at most 2 decimals; worth at least 1.00 USD. If omitted, the customer chooses the amount.',
      ),
    ),
    min_amount: Type.Optional(Amount('The smallest amount a customer may choose. Cannot be combined with `amount`.')),
    max_amount: Type.Optional(Amount('The largest amount a customer may choose. Cannot be combined with `amount`.')),
    currency_fiat: Type.Optional(
      oneOf(FIAT_CURRENCIES, { default: DEFAULT_CURRENCY, description: 'The currency of the amounts.' }),
    ),
    cryptos: Type.Optional(
      Type.Array(ref(CryptoSymbol), {
        uniqueItems: true,
        description: 'The coins to choose from; a single one fixes the coin. Default: all that you accept.',
      }),
    ),
    success_url: Type.Optional(NullableHttpUrl('Where the payment page links to after payment.')),
    expires_at: Type.Optional(
      Type.String({ pattern: MOMENT_PATTERN, description: 'Until when it opens payments; must be in the future.' }),
    ),
    max_uses: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_LINK_USES,
        description: 'How often it can be paid; 1 for a single use. Default: no limit.',
      }),
    ),
  },
  { additionalProperties: false },
);

export const ListPaymentLinksQuery = Type.Object(PAGE_QUERY, { additionalProperties: false });

export const PaymentLinkParams = Type.Object({
  slug: Type.String({ description: 'The slug returned by create.' }),
});
