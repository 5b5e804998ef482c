/** Report of undeliverable emails, from the operator of the mail server. */
export type BounceReport =
  /** A delivery status notification (RFC 3464), as the complete message from the bounce mailbox. */
  | { readonly kind: 'message'; readonly raw: Uint8Array }
  /** The same from a mail provider's webhook, converted by the operator. */
  | { readonly kind: 'list'; readonly bounces: readonly ReportedBounce[] };

export interface ReportedBounce {
  /** Message-ID of the email that was sent, with or without its angle brackets. */
  readonly messageId: string;
  /** Enhanced status code (RFC 3463), like `5.1.1`; only codes starting with 5 are permanent. */
  readonly status: string;
}
