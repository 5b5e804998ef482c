import { type Block, type EmailContent, paragraph } from '../../mail/index.ts';
import type { UnassignedReason } from '../watching/destinations.ts';
import { NOT_CONFIRMED } from './email-templates.ts';

/** Coins from before a payment are not new, so they cause no email. */
export type MailedReason = Exclude<UnassignedReason, 'before_payment'>;

/** The input of a notice about coins that belong to no open payment. */
export interface UnassignedEmailInput {
  readonly reason: MailedReason;
  /** The payment that the address was assigned to; null when there is none. */
  readonly transactionId: string | null;
  readonly orderId: string | null;
  readonly outputs: readonly UnassignedOutput[];
  /** Whether all of them have the confirmations that their payment requires. */
  readonly isConfirmed: boolean;
  /** Without a trailing slash. */
  readonly publicUrl: string;
}

export interface UnassignedOutput {
  /** With coin: `0.25 LTC`. */
  readonly amount: string;
  readonly network: string;
  readonly address: string;
  /** Null for coins without their own transaction, on Ethereum. */
  readonly txid: string | null;
}

/** To the users of a merchant: coins were sent to its wallet that belong to no open payment. */
export function unassignedEmail(input: UnassignedEmailInput): Pick<EmailContent, 'subject' | 'blocks'> {
  const { reason, transactionId, orderId, outputs, isConfirmed, publicUrl } = input;
  const more = outputs.length - MAX_LISTED;
  const payment: Block = {
    kind: 'details',
    details: [
      ...(transactionId === null ? [] : [['Payment', transactionId] as const]),
      ...(orderId === null ? [] : [['Order', orderId] as const]),
    ],
  };
  return {
    subject: 'Coins arrived that belong to no open payment',
    blocks: [
      paragraph(`The coins below were sent to your wallet but count toward no payment. ${REASONS[reason]}`),
      ...(isConfirmed ? [] : [paragraph(NOT_CONFIRMED)]),
      ...(payment.details.length === 0 ? [] : [payment]),
      ...outputs.slice(0, MAX_LISTED).map(listed),
      ...(more > 0 ? [paragraph(`And ${more} more, which your wallet shows.`)] : []),
      transactionId === null
        ? { kind: 'link', text: 'Open the wallets', url: `${publicUrl}/console/wallets` }
        : { kind: 'link', text: 'Open the payment', url: `${publicUrl}/console/payments/${transactionId}` },
    ],
  };
}

// Helpers

const MAX_LISTED = 10;

const REASONS: { readonly [R in MailedReason]: string } = {
  unassigned_address:
    'Their address was not assigned to a payment. You may have given it to a customer yourself, or another program uses the same wallet. This service will not use the address again.',
  monitoring_ended:
    'The payment at their address had ended before they arrived. Agree with the customer what they are for, or refund them.',
  other_asset:
    'The payment at their address is in another coin. Agree with the customer what they are for, or refund them.',
  too_many_outputs:
    'The payment at their address was paid in more parts than it counts. Check the payment, and settle the rest with the customer.',
};

function listed({ amount, network, address, txid }: UnassignedOutput): Block {
  return {
    kind: 'details',
    details: [
      ['Arrived', amount],
      ['Network', network],
      ['Address', address],
      ...(txid === null ? [] : [['Transaction', txid] as const]),
    ],
  };
}
