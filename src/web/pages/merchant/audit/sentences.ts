import type {
  AuditAction,
  AuditEntryInfo,
  AuditSubjectKind,
  AuditWho,
} from '../../../../http/console/merchant/audit/schemas.ts';

/**
 * The predicate of each action's sentence, after the name of its author. Total: a new audited
 * action compiles only once it has a sentence here.
 */
const SENTENCES: Readonly<Record<AuditAction, (subject: string) => string>> = {
  'api_key.created': () => 'created an API key',
  'api_key.rotated': () => 'replaced an API key',
  'api_key.revoked': () => 'revoked an API key',
  'api_key.changed': () => 'changed an API key',
  'api_key.allowed_addresses_changed': () => 'changed the allowed IP addresses of an API key',
  'webhook_endpoint.created': () => 'added a webhook endpoint',
  'webhook_endpoint.changed': () => 'changed a webhook endpoint',
  'webhook_endpoint.enabled': () => 'enabled a webhook endpoint',
  'webhook_endpoint.disabled': () => 'disabled a webhook endpoint',
  'webhook_endpoint.secret_rotated': () => 'rotated the signing secret of a webhook endpoint with overlap',
  'webhook_endpoint.secret_regenerated': () => 'regenerated the signing secret of a webhook endpoint',
  'webhook_endpoint.deleted': () => 'deleted a webhook endpoint',
  'webhook_endpoint.test_sent': () => 'sent a test event to a webhook endpoint',
  'webhook_endpoint.redelivery_requested': () => 'resent a webhook event',
  'webhook_endpoint.waiting_retried': () => 'retried all waiting webhook events',
  'webhook_endpoint.replay_started': () => 'started a replay of webhook events',
  'webhook_endpoint.replay_cancelled': () => 'stopped a replay of webhook events',
  'webhook_endpoint.responses_deleted': () => 'deleted the stored responses of a webhook endpoint',
  'wallet.attached': () => 'added a wallet',
  'wallet.replaced': () => 'replaced a wallet',
  'wallet.refused': () => 'tried to add a wallet that another merchant uses',
  'wallet.addresses_skipped': () => 'skipped addresses of a wallet',
  'payment_link.created': () => 'created a payment link',
  'payment_link.closed': () => 'closed a payment link',
  'schedule.created': () => 'created a recurring payment request',
  'schedule.paused': () => 'paused a recurring payment request',
  'schedule.resumed': () => 'resumed a recurring payment request',
  'schedule.cancelled': () => 'cancelled a recurring payment request',
  'schedule.confirmation_resent': () => 'resent the confirmation email of a recurring payment request',
  'schedule.simulated': () => 'simulated a recurring payment request',
  'merchant.signed_up': () => 'created this account',
  'merchant.approved': () => 'approved this account to send emails to customers',
  'merchant.settings_changed': () => 'changed the settings',
  'merchant.image_removed': () => 'removed an image of this account',
  'merchant.provisioned': () => 'provisioned this account',
  'merchant.plan_assigned': () => 'changed the plan of this account',
  'merchant.plan_checkout_started': () => 'started a plan purchase',
  'user.created': (subject) => `created a login for ${subject}`,
  'user.invited': (subject) => `invited ${subject}`,
  'user.invitation_resent': (subject) => `sent the invitation of ${subject} again`,
  'user.disabled': (subject) => `disabled the login of ${subject}`,
  'user.enabled': (subject) => `re-enabled the login of ${subject}`,
  'user.role_changed': (subject) => `changed the role of ${subject}`,
  'user.password_changed': () => 'changed their password',
  'user.password_reset_requested': (subject) => `requested a password link for ${subject}`,
  'user.password_reset': () => 'set a new password through an emailed link',
  'user.totp_begun': () => 'started setting up an authenticator app',
  'user.totp_confirmed': () => 'set up an authenticator app',
  'user.totp_disabled': (subject) => `turned off the authenticator app of ${subject}`,
  'user.recovery_codes_made': () => 'generated new recovery codes',
  'user.recovery_code_used': () => 'signed in with a recovery code',
  'session.started': () => 'signed in',
  'session.refused': (subject) => `failed to sign in as ${subject}`,
  'session.reauthenticated': () => 're-entered their password',
  'session.ended': () => 'signed out',
  'payment.started': () => 'started a test payment',
  'payment.simulated': () => 'simulated a test payment',
  'payment.marked_paid': () => 'marked a late payment as paid',
  'payment.dismissed': () => 'dismissed a late payment',
  'payment.confirmed': () => 'confirmed a payment in review',
  'payment.rejected': () => 'rejected a payment in review',
  'payment.transaction_searched': () => 'searched the network for a transaction',
  'attention.settled': () => 'resolved an item in Needs attention',
};

/** Labels of the filter by subject, in the order of its options. */
export const KIND_NAMES: Readonly<Record<AuditSubjectKind, string>> = {
  payment: 'Payments',
  attention: 'Needs attention',
  payment_link: 'Payment links',
  schedule: 'Recurring payments',
  wallet: 'Wallets',
  api_key: 'API keys',
  webhook_endpoint: 'Webhooks',
  merchant: 'Account and settings',
  user: 'Users',
  session: 'Sign-ins',
};

/** An action as text. An action of a later version of the service is shown by its name. */
export function sentenceOf({ what, subject }: Pick<AuditEntryInfo, 'what' | 'subject'>): string {
  const words = Object.hasOwn(SENTENCES, what) ? SENTENCES[what] : null;
  return words === null ? `did "${what}"` : words(subject?.name ?? 'a user');
}

/** The author as text. Programs have the names the service records. */
export function whoText(who: AuditWho): string {
  if (who.kind === 'colleague') return who.email;
  if (who.kind === 'operator') return 'The operator of this service';
  if (who.name.startsWith('command line')) return `The operator of this service (${who.name})`;
  return OTHERS[who.name] ?? who.name;
}

// Helpers

const OTHERS: Readonly<Record<string, string>> = {
  provisioning: 'Initial setup',
  'sign-up': 'The user who signed up',
  'a visitor of the sign-in page': 'A visitor of the sign-in page',
};
