import type { Role } from './session.ts';

/** Accounts. Beside each type, the request it belongs to. Whatever answers nothing answers `{data: null}`. */

/** POST `sign-in`, answers `SignedIn`. 401 `CODE_REQUIRED` once the password was right and a code is needed. */
export interface SignInBody {
  readonly email: string;
  readonly password: string;
  /** Six digits of the authenticator app, or a recovery code. */
  readonly code?: string;
}

/**
 * POST `reauthenticate`: what decides where money goes, or who may, answers 403 `REAUTH_REQUIRED`
 * when the password was given more than REAUTH_MINUTES ago, and succeeds when it is repeated after
 * this.
 */
export interface ReauthenticateBody {
  readonly password: string;
  /** Where an authenticator app is on: six digits, or a recovery code. */
  readonly code?: string;
}

/** GET `sign-up`: whether anybody can make an account. */
export interface SignUpInfo {
  readonly isOpen: boolean;
}

/** POST `sign-up`; the account is made by POST `sign-up/confirm` with `{token, password}`, the token of the link `/console/sign-up/confirm#<token>`. */
export interface SignUpBody {
  readonly email: string;
  readonly merchantName: string;
}

/** POST `password-reset/confirm`, with the token of the link `/console/password-reset#<token>`. `password-reset/request` takes `{email}`. */
export interface PasswordResetBody {
  readonly token: string;
  readonly password: string;
}

/** POST `password`: `password` is the new one. */
export interface PasswordBody {
  readonly currentPassword: string;
  readonly password: string;
}

/** Answer of POST `totp/begin` with `{password}`. POST `totp/confirm` takes `{code}`. */
export interface TotpBegun {
  /** Base32, for apps that cannot scan. */
  readonly secret: string;
  /** What the QR code says. */
  readonly uri: string;
}

/** POST `totp/disable` and POST `recovery-codes`. */
export interface BothFactorsBody {
  readonly password: string;
  readonly code: string;
}

/** Answer of POST `totp/confirm` and POST `recovery-codes`: shown once. */
export interface RecoveryCodes {
  readonly recoveryCodes: readonly string[];
}

/** One of GET `users`; an operator may ask for those of `?merchantId=` alone. */
export interface UserInfo {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  readonly merchant: { readonly id: string; readonly name: string } | null;
  readonly hasTotp: boolean;
  /** Has a link by mail and has not chosen a password yet. */
  readonly isInvited: boolean;
  readonly isDisabled: boolean;
  readonly createdAt: number;
}

/** POST `users`, answers `{id}`; the user gets a link by mail. */
export interface NewUserBody {
  readonly email: string;
  /** At the place of the one who invites: their merchant, or the service. */
  readonly role: Role;
}

/** PATCH `users/:id`; what is left out stays. */
export interface UserChangesBody {
  readonly role?: Role;
  readonly isDisabled?: boolean;
}
