import type {
  Actor,
  BegunTotp,
  BothFactors,
  Invitation,
  ListedSession,
  ListedUser,
  NewMerchant,
  OpenedMerchant,
  Session,
  SetupRequest,
  SignInRequest,
  SignUpRequest,
  StartedSession,
  UserChanges,
} from '../../accounts/index.ts';

/**
 * The account operations of the console. The composition root binds them to the use cases of
 * `accounts`.
 */
export interface Accounts {
  /** Null when the token has no session. */
  findSession(token: string): Promise<Session | null>;
  signIn(request: SignInRequest): Promise<StartedSession>;
  reauthenticate(actor: Actor, factors: { readonly password: string; readonly code: string | null }): Promise<void>;
  /** Rejects with `REAUTH_REQUIRED` when the password of the session was entered too long ago. */
  requireRecentPassword(sessionId: string): Promise<void>;
  signOut(token: string): Promise<void>;
  changePassword(actor: Actor, change: { currentPassword: string; password: string; email: string }): Promise<void>;
  beginTotp(actor: Actor, password: string): Promise<BegunTotp>;
  confirmTotp(actor: Actor, code: string): Promise<readonly string[]>;
  disableTotp(actor: Actor, factors: BothFactors): Promise<void>;
  regenerateRecoveryCodes(actor: Actor, factors: BothFactors): Promise<readonly string[]>;
  listSessions(actor: Actor): Promise<readonly ListedSession[]>;
  revokeSession(actor: Actor, sessionId: string): Promise<void>;
  listUsers(wanted: { readonly merchantId: string | null }): Promise<readonly ListedUser[]>;
  inviteUser(actor: Actor, invitation: Invitation): Promise<string>;
  manageUser(actor: Actor, userId: string, changes: UserChanges): Promise<void>;
  openMerchant(actor: Actor, shop: NewMerchant): Promise<OpenedMerchant>;
  isSetupOpen(): Promise<boolean>;
  setUp(request: SetupRequest): Promise<StartedSession>;
  readonly isSignUpOpen: boolean;
  signUp(request: SignUpRequest): Promise<void>;
  confirmSignUp(request: { readonly token: string; readonly password: string }): Promise<void>;
  requestPasswordReset(request: { readonly email: string; readonly address: string }): Promise<void>;
  resetPassword(request: { readonly token: string; readonly password: string }): Promise<void>;
}
