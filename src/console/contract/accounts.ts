import type { Role } from './session.ts';

/**
 * Accounts. Each type names the request it belongs to. Requests without a result respond with
 * `{data: null}`.
 */

/**
 * POST `sign-in`, returns `SignedIn`. 401 `CODE_REQUIRED` when the password is correct and a code
 * is required.
 */
export interface SignInBody {
  readonly email: string;
  readonly password: string;
  /** Six digits from the authenticator app, or a recovery code. */
  readonly code?: string;
}

/**
 * POST `reauthenticate`. Requests that change where money goes, or who may change that, return 403
 * `REAUTH_REQUIRED` when the password was entered more than REAUTH_MINUTES ago; repeat them after
 * this request.
 */
export interface ReauthenticateBody {
  readonly password: string;
  /** With an authenticator app: six digits, or a recovery code. */
  readonly code?: string;
}

/** GET `setup`: whether the installation has no user yet. */
export interface SetupInfo {
  readonly isOpen: boolean;
}

/**
 * POST `setup`, returns `SignedIn`: creates the first operator, with the token of the address
 * `/console/setup#<token>` that the service prints at its start.
 */
export interface SetupBody {
  readonly token: string;
  readonly email: string;
  readonly password: string;
}

/** GET `sign-up`: whether sign-up is open. */
export interface SignUpInfo {
  readonly isOpen: boolean;
}

/**
 * POST `sign-up`. POST `sign-up/confirm` with `{token, password}` creates the account, with the
 * token of the link `/console/sign-up/confirm#<token>`.
 */
export interface SignUpBody {
  readonly email: string;
  readonly merchantName: string;
}

/**
 * POST `password-reset/confirm`, with the token of the link `/console/password-reset#<token>`.
 * `password-reset/request` takes `{email}`.
 */
export interface PasswordResetBody {
  readonly token: string;
  readonly password: string;
}

/** POST `password`: `password` is the new one. */
export interface PasswordBody {
  readonly currentPassword: string;
  readonly password: string;
}

/** Response of POST `totp/begin` with `{password}`. POST `totp/confirm` takes `{code}`. */
export interface TotpBegun {
  /** Base32, for apps that cannot scan. */
  readonly secret: string;
  /** The content of the QR code. */
  readonly uri: string;
}

/** POST `totp/disable` and POST `recovery-codes`. */
export interface BothFactorsBody {
  readonly password: string;
  readonly code: string;
}

/** Response of POST `totp/confirm` and POST `recovery-codes`: shown once. */
export interface RecoveryCodes {
  readonly recoveryCodes: readonly string[];
}

/** A user of GET `users`; an operator may filter by `?merchantId=`. */
export interface UserInfo {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  readonly merchant: { readonly id: string; readonly name: string } | null;
  readonly hasTotp: boolean;
  /** Has an invitation link and has not chosen a password yet. */
  readonly isInvited: boolean;
  readonly isDisabled: boolean;
  readonly createdAt: number;
}

/** POST `users`, returns `{id}`; the user receives a link by mail. */
export interface NewUserBody {
  readonly email: string;
  /** A role in the inviter's scope: their merchant, or the service. */
  readonly role: Role;
}

/** POST `merchants`, by an operator: creates a merchant and invites its first owner. */
export interface NewMerchantBody {
  readonly name: string;
  /** Of the owner. */
  readonly email: string;
}

/** Response of POST `merchants`. */
export interface OpenedMerchantInfo {
  readonly id: string;
  /** For the operator to hand over; null where the service mails it. */
  readonly invitationUrl: string | null;
}

/** PATCH `users/:id`; omitted fields stay unchanged. */
export interface UserChangesBody {
  readonly role?: Role;
  readonly isDisabled?: boolean;
}
