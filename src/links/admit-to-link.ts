import { findOpenPayment, paymentUrl, type ReadDeps, wasOpenedBy } from '../payments/index.ts';
import type { Clock } from '../platform/clock.ts';
import { findLinkOfPayment, type PaymentLink } from './link.ts';
import { findPaymentsInProgress, type PaymentInProgress } from './payments-in-progress.ts';
import { RejectedLinkError, rejectionOf } from './rejection.ts';

/** The customer who opens a link. */
export interface Customer {
  /** Limits open payments to one: see `openHostedPayment`. */
  readonly clientHash: string;
  /** The browser. */
  readonly customerHash: string;
}

/**
 * Returns null when the link may open a payment. Returns the page of the customer's own payment
 * instead when there is one to continue: coins for it were seen, or it was opened while the link
 * was open. Throws a `RejectedLinkError`.
 */
export async function admitToLink(
  deps: ReadDeps & { readonly clock: Clock },
  link: PaymentLink,
  { clientHash, customerHash }: Customer,
): Promise<string | null> {
  const { db, publicUrl, clock } = deps;
  // An open link without a use limit never makes a customer wait, so another payment may be
  // started.
  const isOpenWithoutBound = link.maxUses === null && rejectionOf(link, 0, clock.now()) === null;
  const inProgress = isOpenWithoutBound ? [] : await findPaymentsInProgress(db, link, clock.now());
  const confirming = inProgress.filter(({ holdsUse }) => holdsUse).length;
  const rejection = rejectionOf(link, confirming, clock.now());
  if (rejection === 'paid') throw new RejectedLinkError(rejection, link);
  // After the window only the browser is known. Then, and during a review, its customer would pay
  // twice in any coin.
  const isSame = (each: PaymentInProgress) =>
    each.isUnderReview || each.clientHash === null || each.clientHash === clientHash;
  const own = inProgress.find((each) => each.customerHash === customerHash && isSame(each));
  if (own !== undefined) return paymentUrl(publicUrl, own.transactionId);
  if (rejection === null) return null;
  // A payment while another one confirms would most likely be a duplicate.
  const open = rejection === 'being_paid' ? null : await findOpenPayment(deps, link, clientHash);
  const isOfLink = open !== null && (await findLinkOfPayment(db, open.transaction_id))?.slug === link.slug;
  if (isOfLink && (await wasOpenedBy(deps, open.transaction_id, customerHash))) return open.payment_url;
  throw new RejectedLinkError(rejection, link);
}
