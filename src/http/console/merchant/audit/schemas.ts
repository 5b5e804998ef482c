import { type Static, Type } from 'typebox';
import { list, nullable, oneOf, whole } from '../../schema.ts';

/** Every audited action, ordered by subject. */
export const AuditAction = oneOf([
  'api_key.created',
  'api_key.rotated',
  'api_key.revoked',
  'api_key.changed',
  'api_key.allowed_addresses_changed',
  'webhook_endpoint.created',
  'webhook_endpoint.changed',
  'webhook_endpoint.enabled',
  'webhook_endpoint.disabled',
  'webhook_endpoint.secret_regenerated',
  'webhook_endpoint.secret_rotated',
  'webhook_endpoint.deleted',
  'webhook_endpoint.test_sent',
  'webhook_endpoint.redelivery_requested',
  'webhook_endpoint.replay_started',
  'webhook_endpoint.replay_cancelled',
  'webhook_endpoint.responses_deleted',
  'wallet.attached',
  'wallet.replaced',
  'wallet.addresses_skipped',
  'payment_link.created',
  'payment_link.closed',
  'schedule.created',
  'schedule.paused',
  'schedule.resumed',
  'schedule.cancelled',
  'schedule.confirmation_resent',
  'schedule.simulated',
  'merchant.signed_up',
  'merchant.approved',
  'merchant.settings_changed',
  'merchant.image_removed',
  'merchant.provisioned',
  'merchant.plan_assigned',
  'merchant.plan_checkout_started',
  'user.created',
  'user.invited',
  'user.disabled',
  'user.enabled',
  'user.role_changed',
  'user.password_changed',
  'user.password_reset_requested',
  'user.password_reset',
  'user.totp_begun',
  'user.totp_confirmed',
  'user.totp_disabled',
  'user.recovery_codes_made',
  'user.recovery_code_used',
  'session.started',
  'session.refused',
  'session.reauthenticated',
  'session.ended',
  'payment.started',
  'payment.simulated',
  'payment.marked_paid',
  'payment.dismissed',
  'payment.confirmed',
  'payment.rejected',
  'payment.transaction_searched',
  'attention.settled',
]);
export type AuditAction = Static<typeof AuditAction>;

/** The kinds of subjects. */
export type AuditSubjectKind = AuditAction extends infer Action
  ? Action extends `${infer Noun}.${string}`
    ? Noun
    : never
  : never;

/** Total, so that every audited action can be queried. */
const KINDS: Readonly<Record<AuditSubjectKind, true>> = {
  merchant: true,
  user: true,
  session: true,
  api_key: true,
  webhook_endpoint: true,
  wallet: true,
  payment_link: true,
  schedule: true,
  payment: true,
  attention: true,
};

/** Largest integer that a query accepts; a number represents it exactly. */
const MAX_ID = 999_999_999_999_999;

export const AuditQuery = Type.Object({
  what: Type.Optional(oneOf(Object.keys(KINDS) as AuditSubjectKind[])),
  /** This time or later. */
  from: Type.Optional(whole(0, Date.UTC(9999, 11, 31))),
  /** From the previous page. */
  cursor: Type.Optional(whole(1, MAX_ID)),
  limit: Type.Optional(whole(1, 200)),
});

/** A user of this merchant, an operator, or a program. */
export const AuditWho = Type.Union([
  Type.Object({
    kind: Type.Literal('colleague'),
    email: Type.String(),
  }),
  Type.Object({
    kind: Type.Literal('operator'),
  }),
  Type.Object({
    kind: Type.Literal('other'),
    name: Type.String(),
  }),
]);
export type AuditWho = Static<typeof AuditWho>;

export const AuditEntryInfo = Type.Object({
  id: Type.Number(),
  what: AuditAction,
  who: AuditWho,
  /** Id of the subject. */
  subjectId: Type.String(),
  /** If the subject is a user of this merchant, their current e-mail address. */
  subjectEmail: nullable(Type.String()),
  details: Type.Record(Type.String(), Type.Unknown()),
  at: Type.Number(),
});
export type AuditEntryInfo = Static<typeof AuditEntryInfo>;

/** Newest first. */
export const AuditList = Type.Object({
  entries: list(AuditEntryInfo),
  /** Cursor of the next page; null at the end. */
  cursor: nullable(Type.String()),
});
export type AuditList = Static<typeof AuditList>;
