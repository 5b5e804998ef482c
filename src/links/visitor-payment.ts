import { sql } from 'kysely';
import { type ClientHash, paymentUrl, type ReadDeps } from '../payments/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { PaymentLink } from './link.ts';
import { keyNameOf } from './open-hosted-payment.ts';
import { findPaymentsInProgress } from './payments-in-progress.ts';

export type VisitorPaymentDeps = ReadDeps & { readonly clock: Clock; readonly clientHash: ClientHash };

/** A payment that a customer opened by the short address of a link. */
export interface VisitorPayment {
  /** Its page. */
  readonly url: string;
  /** Coins for it were seen; otherwise it can still be paid. */
  readonly isInProgress: boolean;
  /** They arrived too late, and the shop has not decided yet. */
  readonly isLate: boolean;
}

/**
 * The payment that this browser opened by the short address of a link and that can still be paid or
 * is in progress, in any coin; null when there is none. `customer`: see `Opener`. Both queries are
 * bounded: a link has few open payments, a merchant few that are in progress.
 */
export async function findVisitorPayment(
  { db, publicUrl, clock, clientHash }: VisitorPaymentDeps,
  link: PaymentLink,
  customer: string,
): Promise<VisitorPayment | null> {
  const customerHash = clientHash(link, customer);
  const inProgress = await findPaymentsInProgress(db, link, clock.now());
  const own = inProgress.find((each) => each.customerHash === customerHash);
  if (own !== undefined)
    return { url: paymentUrl(publicUrl, own.transactionId), isInProgress: true, isLate: own.isLate };
  const open = await findOpen();
  return open === null ? null : { url: paymentUrl(publicUrl, open), isInProgress: false, isLate: false };

  async function findOpen(): Promise<string | null> {
    const { rows } = await sql<{ id: string }>`
        select id from transaction_status
        where opened_by_key = ${keyNameOf(link)} and status = 'pending' and customer_hash = ${customerHash}
        order by created_at desc limit 1`.execute(db);
    return rows[0]?.id ?? null;
  }
}
