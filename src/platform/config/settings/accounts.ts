import * as read from '../parsers.ts';
import { secret, setting, token } from './setting.ts';

/** Keys and tokens of the installation, and limits for merchants and the operator. */
export const ACCOUNT_SETTINGS = {
  secretsKey: secret(
    'SECRETS_KEY',
    '(secrets.key in DATA_DIR, created at the first start)',
    'Key that encrypts webhook secrets: 32 random bytes in hex or base64. Back it up; without it they are lost. ' +
      'Every process needs the same key; a process with only some roles does not create one.',
    read.secretKey,
  ),
  secretsKeyPrevious: secret(
    'SECRETS_KEY_PREVIOUS',
    '(none)',
    'The previous key during a key rotation: still decrypts secrets, until you run `quittance secrets reseal`.',
    read.secretKey,
  ),
  plans: setting(
    'PLANS',
    'on',
    'Whether merchants have plans with limits: on or off. When off, all have one plan without limits.',
    read.mapped(read.oneOf(['on', 'off']), (choice) => choice === 'on'),
  ),
  payMaxOpen: setting(
    'PAY_MAX_OPEN',
    '200',
    'Maximum open and unpaid payments per publishable key and per payment link: anyone who sees a shop page can open some.',
    read.wholeNumber(1, 100_000),
  ),
  payMaxOpenPerClient: setting(
    'PAY_MAX_OPEN_PER_CLIENT',
    '20',
    'Like PAY_MAX_OPEN, but per client: an IPv4 address, or the /56 of an IPv6 address.',
    read.wholeNumber(1, 100_000),
  ),
  recurringMaxUnconfirmed: setting(
    'RECURRING_MAX_UNCONFIRMED',
    '200',
    'Maximum emails per merchant in 24 hours to customers who have not confirmed a recurring payment request.',
    read.wholeNumber(1, 100_000),
  ),
  signUp: setting(
    'SIGN_UP',
    'off',
    'Whether anyone can sign up as a merchant in the console: on or off. Needs SMTP_URL.',
    read.mapped(read.oneOf(['on', 'off']), (choice) => choice === 'on'),
  ),
  reauthMinutes: setting(
    'REAUTH_MINUTES',
    '10',
    'Minutes after entering the password in the console during which wallets, keys, endpoints and users can be changed, ' +
      'and underpaid payments accepted, without entering it again. 0 requires it every time; maximum 1440.',
    read.wholeNumber(0, 1_440),
  ),
  operatorMerchant: setting(
    'OPERATOR_MERCHANT',
    '(none: plans cannot be bought)',
    'Name of your own merchant, as in the provisioning file: it receives the payments for plans.',
    merchantName,
  ),
  operatorToken: secret(
    'OPERATOR_TOKEN',
    '(none: there is no such page)',
    'Token for GET /v1/health/details: at least 32 characters without spaces. Generate it with `openssl rand -hex 32`.',
    token(32),
  ),
} as const;

// Helpers

/** Same limit as for names in the provisioning file. */
function merchantName(text: string): read.Parsed<string> {
  return text.length <= 100 ? read.good(text) : read.bad('must have at most 100 characters');
}
