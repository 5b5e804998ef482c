/** A merchant's audit log. */

/** Every audited action, ordered by subject. */
export type AuditAction =
  | 'api_key.created'
  | 'api_key.rotated'
  | 'api_key.revoked'
  | 'api_key.changed'
  | 'api_key.allowed_addresses_changed'
  | 'webhook_endpoint.created'
  | 'webhook_endpoint.changed'
  | 'webhook_endpoint.enabled'
  | 'webhook_endpoint.disabled'
  | 'webhook_endpoint.secret_regenerated'
  | 'webhook_endpoint.secret_rotated'
  | 'webhook_endpoint.deleted'
  | 'webhook_endpoint.test_sent'
  | 'webhook_endpoint.redelivery_requested'
  | 'webhook_endpoint.replay_started'
  | 'webhook_endpoint.replay_cancelled'
  | 'wallet.attached'
  | 'wallet.replaced'
  | 'wallet.addresses_skipped'
  | 'payment_link.created'
  | 'payment_link.closed'
  | 'schedule.created'
  | 'schedule.paused'
  | 'schedule.resumed'
  | 'schedule.cancelled'
  | 'schedule.confirmation_resent'
  | 'schedule.simulated'
  | 'merchant.signed_up'
  | 'merchant.approved'
  | 'merchant.settings_changed'
  | 'merchant.provisioned'
  | 'merchant.plan_assigned'
  | 'merchant.plan_checkout_started'
  | 'user.created'
  | 'user.invited'
  | 'user.disabled'
  | 'user.enabled'
  | 'user.role_changed'
  | 'user.password_changed'
  | 'user.password_reset_requested'
  | 'user.password_reset'
  | 'user.totp_begun'
  | 'user.totp_confirmed'
  | 'user.totp_disabled'
  | 'user.recovery_codes_made'
  | 'user.recovery_code_used'
  | 'session.started'
  | 'session.refused'
  | 'session.reauthenticated'
  | 'session.ended'
  | 'payment.started'
  | 'payment.simulated'
  | 'payment.marked_paid'
  | 'payment.dismissed'
  | 'payment.confirmed'
  | 'payment.rejected'
  | 'attention.settled';

/** The kinds of subjects. */
export type AuditSubjectKind = AuditAction extends infer Action
  ? Action extends `${infer Noun}.${string}`
    ? Noun
    : never
  : never;

/** Query of GET /console/api/merchant/audit, for owners. */
export interface AuditQuery {
  readonly what?: AuditSubjectKind | undefined;
  /** Unix ms; this time or later. */
  readonly from?: number | undefined;
  /** Cursor from the previous page. */
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

/** Response of GET /console/api/merchant/audit: newest first. */
export interface AuditList {
  readonly entries: readonly AuditEntryInfo[];
  /** Cursor of the next page; null at the end. */
  readonly cursor: string | null;
}

export interface AuditEntryInfo {
  readonly id: number;
  readonly what: AuditAction;
  readonly who: AuditWho;
  /** Id of the subject. */
  readonly subjectId: string;
  /** If the subject is a user of this merchant, their current e-mail address. */
  readonly subjectEmail: string | null;
  readonly details: Readonly<Record<string, unknown>>;
  readonly at: number;
}

/** A user of this merchant, an operator, or a program. */
export type AuditWho =
  | { readonly kind: 'colleague'; readonly email: string }
  | { readonly kind: 'operator' }
  | { readonly kind: 'other'; readonly name: string };
