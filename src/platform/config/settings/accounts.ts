import * as read from '../parsers.ts';
import { secret, setting } from './setting.ts';
import { token } from './token.ts';

/** Keys and tokens of the installation, and limits for merchants and the operator. */
export const ACCOUNT_SETTINGS = {
  secretsKey: secret(
    'SECRETS_KEY',
    '(secrets.key in DATA_DIR, made at the first start)',
    'Key that webhook secrets are encrypted with: 32 random bytes in hex or base64. Keep a copy; without it they are lost. ' +
      'Every process needs the same one; with a part of the roles, none is made.',
    read.secretKey,
  ),
  secretsKeyPrevious: secret(
    'SECRETS_KEY_PREVIOUS',
    '(none)',
    'The key before, while it is being replaced: what is encrypted with it is still read, until `quittance secrets reseal`.',
    read.secretKey,
  ),
  plans: setting(
    'PLANS',
    'on',
    'Whether merchants have plans with limits: on or off. With off, all have one plan without limits.',
    read.mapped(read.oneOf(['on', 'off']), (choice) => choice === 'on'),
  ),
  payMaxOpen: setting(
    'PAY_MAX_OPEN',
    '200',
    'Payments that each publishable key, and each payment link, may have open and unpaid: anyone who sees a shop page can open some.',
    read.wholeNumber(1, 100_000),
  ),
  payMaxOpenPerClient: setting(
    'PAY_MAX_OPEN_PER_CLIENT',
    '20',
    'How many of the payments of PAY_MAX_OPEN may come from one client: an IPv4 address, or the /56 of an IPv6 address.',
    read.wholeNumber(1, 100_000),
  ),
  recurringMaxUnconfirmed: setting(
    'RECURRING_MAX_UNCONFIRMED',
    '200',
    'Emails to customers who have not confirmed that each merchant may send within 24 hours with recurring payment requests.',
    read.wholeNumber(1, 100_000),
  ),
  signUp: setting(
    'SIGN_UP',
    'off',
    'Whether anyone can open a merchant account in the console: on or off. Needs a mail server.',
    read.mapped(read.oneOf(['on', 'off']), (choice) => choice === 'on'),
  ),
  reauthMinutes: setting(
    'REAUTH_MINUTES',
    '10',
    'Minutes for which a password given in the console also serves to change wallets, keys, endpoints and users, and to accept ' +
      'payments with less; after them it is asked for again. 0 asks every time, 1440 is the most.',
    read.wholeNumber(0, 1_440),
  ),
  operatorMerchant: setting(
    'OPERATOR_MERCHANT',
    '(none: plans cannot be bought)',
    'Name of the merchant that is paid when a merchant buys a plan, as in its provisioning file: your own.',
    merchantName,
  ),
  operatorToken: secret(
    'OPERATOR_TOKEN',
    '(none: there is no such page)',
    'Token that GET /v1/health/details asks for: at least 32 characters without spaces. Make one with `openssl rand -hex 32`.',
    token(32),
  ),
} as const;

// Helpers

/** Same limit as for names in the provisioning file. */
function merchantName(text: string): read.Parsed<string> {
  return text.length <= 100 ? read.good(text) : read.bad('must have at most 100 characters');
}
