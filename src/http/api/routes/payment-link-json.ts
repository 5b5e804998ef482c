import type { Static } from 'typebox';
import type { UnixMs } from '../../../../machines/index.ts';
import { imageAddress, readImage } from '../../../images/index.ts';
import { type ListedLink, type NewLink, priceText, readPrice, shortAddress, stateOf } from '../../../links/index.ts';
import type { Scope } from '../../../payments/index.ts';
import { TerminalError } from '../../../platform/errors.ts';
import { isoTime, isoTimeOrNull } from '../../../platform/iso-time.ts';
import { DEFAULT_CURRENCY } from '../schemas/create-transaction.ts';
import type { CreatePaymentLinkBody, PaymentLink } from '../schemas/payment-link.ts';
import { timestampOf } from '../timestamps.ts';

export function linkToJson(
  link: ListedLink,
  { publicUrl, now }: { readonly publicUrl: string; readonly now: UnixMs },
): Static<typeof PaymentLink> {
  const { amount, min, max } = priceText(link.price);
  return {
    slug: link.slug,
    url: shortAddress(publicUrl, link),
    title: link.title,
    description: link.description,
    image_url: imageAddress(publicUrl, link.imageId),
    amount,
    min_amount: min,
    max_amount: max,
    currency_fiat: link.currency,
    // `createLink` wrote coins that are supported.
    cryptos: [...link.cryptos] as Static<typeof PaymentLink>['cryptos'],
    success_url: link.successUrl,
    expires_at: isoTimeOrNull(link.expiresAt),
    max_uses: link.maxUses,
    uses: link.uses,
    excess_transaction_ids: [...link.excessTransactionIds],
    state: stateOf(link, now),
    created_at: isoTime(link.createdAt),
    closed_at: isoTimeOrNull(link.closedAt),
  };
}

/** The link described by a request body. Throws `INVALID_AMOUNT` and `INVALID_REQUEST`. */
export function newLinkOf(body: Static<typeof CreatePaymentLinkBody>, { merchantId, mode }: Scope): NewLink {
  const text = (amount: number | undefined) => (amount === undefined ? null : String(amount));
  const [amount, min, max] = [text(body.amount), text(body.min_amount), text(body.max_amount)];
  return {
    merchantId,
    mode,
    slug: body.slug ?? null,
    title: body.title,
    description: body.description ?? null,
    image: body.image === undefined ? null : readImage(body.image),
    price: readPrice({ amount, min, max, names: PRICE_NAMES }),
    currency: body.currency_fiat ?? DEFAULT_CURRENCY,
    cryptos: body.cryptos ?? [],
    successUrl: body.success_url ?? null,
    expiresAt: body.expires_at === undefined ? null : timestampOf(body.expires_at, 'expires_at'),
    maxUses: body.max_uses ?? null,
  };
}

/** An `INVALID_LINK` as an `INVALID_REQUEST` that names the field of the body; others unchanged. */
export function nameField(error: unknown): unknown {
  if (!(error instanceof TerminalError) || error.code !== 'INVALID_LINK') return error;
  const field = error.field ?? '';
  return new TerminalError('INVALID_REQUEST', error.message, { field: FIELD_NAMES[field] ?? field });
}

// Helpers

const PRICE_NAMES = { amount: 'amount', min: 'min_amount', max: 'max_amount' };
const FIELD_NAMES: Readonly<Record<string, string>> = {
  price: 'amount',
  successUrl: 'success_url',
  expiresAt: 'expires_at',
  maxUses: 'max_uses',
};
