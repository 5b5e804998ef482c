import type { UnixMs } from '../../machines/index.ts';
import { TerminalError } from '../platform/errors.ts';
import type { PaymentLink } from './link.ts';

/** Why a link opens no payment. */
export type LinkRejection = 'paid' | 'being_paid' | 'closed' | 'expired';

/**
 * Why a link opens no payment now; null when it does. "Paid" takes precedence: visitors of an old
 * link want to know it. `confirming` is the number of its payments that are fully paid and wait for
 * confirmations: another payment now would most likely be a double payment.
 */
export function rejectionOf(
  link: Pick<PaymentLink, 'maxUses' | 'uses' | 'closedAt' | 'expiresAt'>,
  confirming: number,
  now: UnixMs,
): LinkRejection | null {
  const { maxUses, uses, closedAt, expiresAt } = link;
  if (maxUses !== null && uses >= maxUses) return 'paid';
  if (closedAt !== null) return 'closed';
  if (expiresAt !== null && now >= expiresAt) return 'expired';
  if (maxUses !== null && uses + confirming >= maxUses) return 'being_paid';
  return null;
}

/** What merchants see of it. Open payments are excluded, so a link is never "being paid". */
export const LINK_STATES = ['open', 'used_up', 'expired', 'closed'] as const;
export type LinkState = (typeof LINK_STATES)[number];

/** `used_up`: paid as often as allowed. The last three open no new payments. */
export function stateOf(link: Parameters<typeof rejectionOf>[0], now: UnixMs): LinkState {
  return STATES[rejectionOf(link, 0, now) ?? 'being_paid'];
}

/** A link that opens no payment; the message is for its visitor. */
export class RejectedLinkError extends TerminalError {
  override readonly name = 'RejectedLinkError';
  override readonly code: RejectionTexts['code'];
  readonly rejection: LinkRejection;
  readonly link: PaymentLink;

  constructor(rejection: LinkRejection, link: PaymentLink) {
    const { code, message } = WORDS[rejection](link.title, link.maxUses === 1);
    super(code, message);
    this.code = code;
    this.rejection = rejection;
    this.link = link;
  }
}

// Helpers

const STATES = { being_paid: 'open', paid: 'used_up', closed: 'closed', expired: 'expired' } as const;

interface RejectionTexts {
  readonly code: 'PAYMENT_LINK_PAID' | 'PAYMENT_LINK_EXPIRED';
  readonly message: string;
}

const WORDS: { readonly [R in LinkRejection]: (title: string, isSingleUse: boolean) => RejectionTexts } = {
  paid: (title, isSingleUse) => ({
    code: 'PAYMENT_LINK_PAID',
    message: isSingleUse
      ? `“${title}” has already been paid. Nothing more is due.`
      : `“${title}” has reached its number of payments. Please ask the shop for another link.`,
  }),
  being_paid: (title) => ({
    code: 'PAYMENT_LINK_PAID',
    message: `A payment for “${title}” has arrived and is being confirmed. Please do not pay again.`,
  }),
  closed: (title) => ({
    code: 'PAYMENT_LINK_EXPIRED',
    message: `“${title}” was closed by the shop and can no longer be paid. Please ask the shop for a new link.`,
  }),
  expired: (title) => ({
    code: 'PAYMENT_LINK_EXPIRED',
    message: `“${title}” has expired. Please ask the shop for a new link.`,
  }),
};
