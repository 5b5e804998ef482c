import { TerminalError } from '../../platform/errors.ts';
import { hashToken } from '../../platform/hash-token.ts';
import { requireCustomerText } from '../../platform/text.ts';
import { LINK_LIFE_MS } from '../account-tokens.ts';
import type { AccountsDeps } from '../deps.ts';
import { readEmail } from '../email.ts';
import { emailUser } from '../emails/notify-user.ts';
import { EMAIL_TEMPLATES } from '../emails/templates.ts';
import { countAttempt, MAIL_LIMIT, MAILER_LIMIT, SIGN_UP_LIMIT, throttleKey } from '../throttle.ts';
import { timestamp } from '../timestamp.ts';
import { newToken } from '../token.ts';
import { findUserByEmail } from '../users/user-rows.ts';
import { comparableName } from './comparable-name.ts';

export interface SignUpRequest {
  readonly email: string;
  readonly merchantName: string;
  readonly address: string;
}

/**
 * Stores a request for an account and emails a link to the address; the merchant is created when
 * the link is used and a password chosen. The response is the same for an address that already has
 * a login: its owner gets an email that says so. Throws a `TerminalError`: `SIGN_UP_CLOSED`,
 * `INVALID_EMAIL`, `INVALID_NAME`, `MERCHANT_NAME_TAKEN` or `TOO_MANY_ATTEMPTS`.
 */
export async function signUp(deps: AccountsDeps, request: SignUpRequest): Promise<void> {
  const { db, clock, publicUrl } = deps;
  requireOpen(deps);
  const email = readEmail(request.email);
  const merchantName = readMerchantName(request.merchantName);
  await countAttempt(deps, throttleKey.emailsFrom(request.address), MAILER_LIMIT);
  await requireFreeName(deps, merchantName);
  await countAttempt(deps, throttleKey.emailsTo(email), MAIL_LIMIT);
  await countAttempt(deps, throttleKey.signUpEmailsAt(clock.now()), SIGN_UP_LIMIT);
  await db.transaction().execute(async (trx) => {
    const now = clock.now();
    const to = { email, merchantId: null };
    if ((await findUserByEmail(trx, email)) !== null) {
      await emailUser({ trx, now }, to, EMAIL_TEMPLATES.signUpOfKnown(publicUrl));
      return;
    }
    const token = newToken();
    await trx.deleteFrom('sign_up').where('expires_at', '<=', timestamp(now)).execute();
    await trx
      .insertInto('sign_up')
      .values({
        token_hash: hashToken(token),
        email,
        merchant_name: merchantName,
        created_at: new Date(now),
        expires_at: new Date(now + LINK_LIFE_MS.sign_up),
      })
      .execute();
    await emailUser(
      { trx, now },
      to,
      EMAIL_TEMPLATES.signUp(publicUrl, token, { merchantName, address: request.address }),
    );
  });
}

export function requireOpen({ signUp: { isOpen } }: Pick<AccountsDeps, 'signUp'>): void {
  if (isOpen) return;
  throw new TerminalError('SIGN_UP_CLOSED', 'Sign-up is closed; contact the operator of this service for an account');
}

export function merchantNameTaken(): TerminalError {
  return new TerminalError('MERCHANT_NAME_TAKEN', 'merchantName is already in use; sign up with another name', {
    field: 'merchantName',
  });
}

/**
 * Throws `MERCHANT_NAME_TAKEN`. Customers trust names: names that look the same count as the same.
 */
export async function requireFreeName({ db, signUp: { reservedNames } }: AccountsDeps, name: string): Promise<void> {
  const wanted = comparableName(name);
  const taken = await db.selectFrom('merchant').select('name').execute();
  if ([...reservedNames, ...taken.map((merchant) => merchant.name)].some((other) => comparableName(other) === wanted)) {
    throw merchantNameTaken();
  }
}

// Helpers

/** The limit of the provisioning file. */
const MAX_NAME_CHARACTERS = 100;
/**
 * Strangers choose the name and the recipient, so the email must not carry their link. A domain
 * without a path is a common name of a shop.
 */
const WEB_ADDRESS = /:\/\/|\bwww\.|[\p{L}\p{N}][.\u3002](?:\p{L}{2,}|xn--[a-z0-9-]+)(?::\d+)?\//iu;

/** Throws `INVALID_NAME`. `field` is what the request calls it. */
export function readMerchantName(text: string, field = 'merchantName'): string {
  const name = text.normalize('NFC').replace(/\s+/gu, ' ').trim();
  requireCustomerText(text, field, 'INVALID_NAME');
  if (comparableName(name) === '' || name.length > MAX_NAME_CHARACTERS || /\p{C}/u.test(text.trim())) {
    throw invalidName(field, `must have 1 to ${MAX_NAME_CHARACTERS} visible characters without line breaks`);
  }
  if (WEB_ADDRESS.test(name.normalize('NFKC'))) {
    throw invalidName(field, 'must not contain a web address; enter only the name of the shop');
  }
  return name;
}

function invalidName(field: string, problem: string): TerminalError {
  return new TerminalError('INVALID_NAME', `${field} ${problem}`, { field });
}
