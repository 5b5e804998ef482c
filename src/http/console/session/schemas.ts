import { type Static, Type } from 'typebox';
import { type InvitedUser, type Session, USER_ROLES } from '../../../accounts/index.ts';
import { filters, oneOf, text } from '../schema.ts';

/**
 * Sign-in, accounts and users: the requests, and the types of the responses. Requests without a
 * result respond with `{data: null}`.
 */

const Text = text(1_000);
const Role = oneOf(USER_ROLES);

export type {
  BegunTotp,
  InvitedUser,
  ListedSession,
  ListedUser,
  OpenedMerchant,
  PasswordLink,
  UserRole,
} from '../../../accounts/index.ts';

/** Response of GET `me`, POST `sign-in` and POST `setup`. */
export type SignedIn = Omit<Session, 'sessionId'>;

/** 401 `CODE_REQUIRED` when the password is correct and a code is required. */
export const SignInBody = Type.Object({
  email: Text,
  password: Text,
  /** Six digits from the authenticator app, or a recovery code. */
  code: Type.Optional(Text),
});
export type SignInBody = Static<typeof SignInBody>;

/**
 * Requests that change where money goes, who may change that, or what operators and merchants may
 * do return 403 `REAUTH_REQUIRED` when the password was entered more than REAUTH_MINUTES ago;
 * repeat them after POST `reauthenticate`.
 */
export const ReauthenticateBody = Type.Omit(SignInBody, ['email']);
export type ReauthenticateBody = Static<typeof ReauthenticateBody>;

/** GET `setup`: whether the installation has no user yet. GET `sign-up`: whether it is open. */
export interface OpenInfo {
  readonly isOpen: boolean;
}

/**
 * Creates the first operator, with the token of the address `/console/setup#<token>` that the
 * service prints at its start.
 */
export const SetupBody = Type.Object({ token: Text, email: Text, password: Text });
export type SetupBody = Static<typeof SetupBody>;

/** `sign-up/confirm` creates the account, with the token of `/console/sign-up/confirm#<token>`. */
export const SignUpBody = Type.Object({ email: Text, merchantName: Text });
export type SignUpBody = Static<typeof SignUpBody>;

/** GET `mail-info`: without a mail server, emails are kept and not sent. */
export interface MailInfo {
  readonly sendsMails: boolean;
}

/** Response of POST `users/:id/resend-invitation`. */
export type ResentInvitation = Pick<InvitedUser, 'invitationUrl'>;

export const PasswordResetRequestBody = Type.Object({ email: Text });

/** The token of a link, like `/console/password-reset#<token>` or `/console/setup#<token>`. */
export const TokenBody = Type.Object({ token: Text });

export const FirstPasswordBody = Type.Object({ token: Text, password: Text });
export type FirstPasswordBody = Static<typeof FirstPasswordBody>;

/** `password` is the new one. `code` is required of users with an authenticator app. */
export const PasswordChangeBody = Type.Object({ currentPassword: Text, code: Type.Optional(Text), password: Text });
export type PasswordChangeBody = Static<typeof PasswordChangeBody>;

export const PasswordBody = Type.Object({ password: Text });
export const CodeBody = Type.Object({ code: Text });
export const BothFactorsBody = Type.Object({ password: Text, code: Text });
export type BothFactorsBody = Static<typeof BothFactorsBody>;

/** Response of POST `totp/confirm` and POST `recovery-codes`: shown once. */
export interface RecoveryCodes {
  readonly recoveryCodes: readonly string[];
}

/** For operators; owners see the users of their merchant. */
export const UsersQuery = filters({ merchantId: Type.Optional(Text) });

/** Invites a user, who receives a link by email, to the inviter's merchant or to the service. */
export const NewUserBody = Type.Object({ email: Text, role: Role });
export type NewUserBody = Static<typeof NewUserBody>;

/** Creates a merchant and invites its first owner, whose email this is. For operators. */
export const NewMerchantBody = Type.Object({ name: Text, email: Text });
export type NewMerchantBody = Static<typeof NewMerchantBody>;

/** Omitted fields stay unchanged. */
export const UserChangesBody = Type.Object({
  role: Type.Optional(Role),
  isDisabled: Type.Optional(Type.Boolean()),
});
export type UserChangesBody = Static<typeof UserChangesBody>;
