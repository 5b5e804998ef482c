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
  'api_key.created': () => 'made an API key',
  'api_key.rotated': () => 'replaced an API key by a new one',
  'api_key.revoked': () => 'revoked an API key',
  'api_key.changed': () => 'changed an API key',
  'api_key.allowed_addresses_changed': () => 'changed where an API key may be used from',
  'webhook_endpoint.created': () => 'added a webhook endpoint',
  'webhook_endpoint.changed': () => 'changed a webhook endpoint',
  'webhook_endpoint.enabled': () => 'switched a webhook endpoint on',
  'webhook_endpoint.disabled': () => 'switched a webhook endpoint off',
  'webhook_endpoint.secret_rotated': () => 'rotated the signing secret of a webhook endpoint with overlap',
  'webhook_endpoint.secret_regenerated': () => 'made a new signing secret for a webhook endpoint',
  'webhook_endpoint.deleted': () => 'deleted a webhook endpoint',
  'webhook_endpoint.test_sent': () => 'sent a test event to a webhook endpoint',
  'webhook_endpoint.redelivery_requested': () => 'had a webhook event sent once more',
  'webhook_endpoint.replay_started': () => 'began to send the events of a time again',
  'webhook_endpoint.replay_cancelled': () => 'stopped sending the events of a time again',
  'webhook_endpoint.responses_deleted': () => 'deleted the stored responses of a webhook endpoint',
  'wallet.attached': () => 'added a wallet',
  'wallet.replaced': () => 'put another wallet in the place of one',
  'wallet.addresses_skipped': () => 'skipped addresses of a wallet',
  'payment_link.created': () => 'made a payment link',
  'payment_link.closed': () => 'closed a payment link',
  'schedule.created': () => 'made a recurring payment request',
  'schedule.paused': () => 'paused a recurring payment request',
  'schedule.resumed': () => 'resumed a recurring payment request',
  'schedule.cancelled': () => 'cancelled a recurring payment request',
  'schedule.confirmation_resent': () => 'asked a customer again to confirm a recurring payment request',
  'schedule.simulated': () => 'played through a recurring payment request of test mode',
  'merchant.signed_up': () => 'made this account',
  'merchant.approved': () => 'approved this account, which may now send emails to customers',
  'merchant.settings_changed': () => 'changed the settings',
  'merchant.image_removed': () => 'took an image off the pages of this account',
  'merchant.provisioned': () => 'set this account up, or changed it',
  'merchant.plan_assigned': () => 'gave this account another plan',
  'merchant.plan_checkout_started': () => 'began to pay for a plan',
  'user.created': (subject) => `made a login for ${subject}`,
  'user.invited': (subject) => `invited ${subject}`,
  'user.disabled': (subject) => `disabled the login of ${subject}`,
  'user.enabled': (subject) => `let ${subject} in again`,
  'user.role_changed': (subject) => `changed the role of ${subject}`,
  'user.password_changed': () => 'changed their password',
  'user.password_reset_requested': (subject) => `asked for a link to set the password of ${subject}`,
  'user.password_reset': () => 'set a new password with a link from an email',
  'user.totp_begun': () => 'began to set up an authenticator app',
  'user.totp_confirmed': () => 'set up an authenticator app',
  'user.totp_disabled': (subject) => `switched the authenticator app of ${subject} off`,
  'user.recovery_codes_made': () => 'made new recovery codes',
  'user.recovery_code_used': () => 'signed in with a recovery code',
  'session.started': () => 'signed in',
  'session.refused': (subject) => `was refused when signing in as ${subject}`,
  'session.reauthenticated': () => 'entered their password again',
  'session.ended': () => 'signed out',
  'payment.started': () => 'started a test payment',
  'payment.simulated': () => 'played through a test payment',
  'payment.marked_paid': () => 'accepted a payment that was late or too small as paid',
  'payment.dismissed': () => 'closed a payment without accepting it',
  'payment.confirmed': () => 'decided that a payment in review was paid',
  'payment.rejected': () => 'decided that a payment in review was not paid',
  'payment.transaction_searched': () => 'had the network searched for a transaction of a payment',
  'attention.settled': () => 'settled something that needed you',
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
  session: 'Signing in and out',
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
