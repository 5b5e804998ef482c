import { Type } from 'typebox';
import { CRYPTO_SYMBOLS, FIAT_CURRENCIES } from '../../../machines/index.ts';
import { DEFAULT_CURRENCY } from './create-transaction.ts';
import { oneOf } from './ref.ts';

/**
 * Parameters of `GET /pay`. Unknown ones are accepted, because sites on which a link is shared add
 * their own (`utm_source`, `fbclid`).
 */
export const PayQuery = Type.Object({
  pk: Type.String({ description: 'A publishable key of yours, pk_live_... or pk_test_...' }),
  amount: Type.String({
    description:
      'The price as a plain decimal with at most 2 decimals, like 24.99; worth at least 1.00 USD. A link with a price of its own ignores it.',
  }),
  crypto: oneOf(CRYPTO_SYMBOLS, { description: 'The coin or token the customer pays with.' }),
  currency: Type.Optional(
    oneOf(FIAT_CURRENCIES, {
      description: `The currency of \`amount\`; ${DEFAULT_CURRENCY} when left out. Ignored when \`link\` is set: the link has a currency.`,
    }),
  ),
  link: Type.Optional(
    Type.String({ description: 'The slug of a payment link of yours, of the mode of the key: its own terms apply.' }),
  ),
});
