import type { Clock } from '../clock.ts';
import { TerminalError } from '../errors.ts';
import { findOpenPayment, paymentUrl, type ReadDeps, type Scope, wasOpenedBy } from '../payments/index.ts';
import { findLink, type PaymentLink, slugOfPayment } from './link.ts';
import { refusalError, refusalOf } from './refusal.ts';
import { isSlug } from './slug.ts';
import { findPaymentsUnderWay } from './under-way.ts';

/**
 * The link somebody asks for. Throws `INVALID_REQUEST` when there is none; one of somebody else is none, so that nobody
 * learns from the answer what others have.
 */
export async function requireLink({ db }: ReadDeps, scope: Scope, slug: string): Promise<PaymentLink> {
  const { merchantId, mode } = scope;
  const link = isSlug(slug) ? await findLink(db, { merchantId, mode, slug }) : null;
  if (link !== null) return link;
  throw new TerminalError('INVALID_REQUEST', `link names no payment link of this key (${mode} mode)`, {
    field: 'link',
  });
}

/** Who opens a link. */
export interface Shopper {
  /** Of whom one payment may be open: see `openHostedPayment`. */
  readonly clientHash: string;
  /** The browser. */
  readonly shopperHash: string;
}

/**
 * Lets a shopper through where the link opens payments. Returns the page of their own payment instead where there is one to
 * go on with: coins for it have come already, or it was opened while the link still was. Throws what `refusalError` makes.
 */
export async function passLink(
  deps: ReadDeps & { readonly clock: Clock },
  link: PaymentLink,
  { clientHash, shopperHash }: Shopper,
): Promise<string | null> {
  const { db, publicUrl, clock } = deps;
  // A link without bound that is open asks nobody to wait, so a shopper may begin another payment.
  const isOpenWithoutBound = link.maxUses === null && refusalOf(link, 0, clock.now()) === null;
  const underWay = isOpenWithoutBound ? [] : await findPaymentsUnderWay(db, link, clock.now());
  const confirming = underWay.filter(({ holdsUse }) => holdsUse).length;
  const refusal = refusalOf(link, confirming, clock.now());
  if (refusal === 'paid') throw refusalError(refusal, link);
  const own = underWay.find((each) => each.clientHash === clientHash && each.shopperHash === shopperHash);
  if (own !== undefined) return paymentUrl(publicUrl, own.transactionId);
  if (refusal === null) return null;
  // Whoever pays now, while another payment is being confirmed, would most likely pay in vain.
  const open = refusal === 'being_paid' ? null : await findOpenPayment(deps, link, clientHash);
  const isOfLink = open !== null && (await slugOfPayment(db, open.transaction_id)) === link.slug;
  if (isOfLink && (await wasOpenedBy(deps, open.transaction_id, shopperHash))) return open.payment_url;
  throw refusalError(refusal, link);
}
