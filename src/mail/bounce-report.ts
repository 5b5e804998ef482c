/** Mails that could not be delivered, as told by whoever runs the mail server. */
export type BounceReport =
  /** A delivery status notification (RFC 3464) as it lay in the mailbox that bounces go to: a whole message. */
  | { readonly kind: 'message'; readonly raw: Uint8Array }
  /** The same in the words of a mail provider's webhook, translated by the operator. */
  | { readonly kind: 'list'; readonly bounces: readonly ReportedBounce[] };

export interface ReportedBounce {
  /** Of the mail that was sent, with or without its angle brackets. */
  readonly messageId: string;
  /** Enhanced status code (RFC 3463), like `5.1.1`: only those that begin with 5 are final. */
  readonly status: string;
}
