/** The door of accounts: people who sign in, their sessions, second factors and roles. */

export { type BegunTotp, beginTotp } from './begin-totp.ts';
export { changePassword } from './change-password.ts';
export { confirmSignUp } from './confirm-sign-up.ts';
export { confirmTotp } from './confirm-totp.ts';
export type { CreatedUser } from './create-user.ts';
export type { AccountsDeps, Actor } from './deps.ts';
export { disableTotp } from './disable-totp.ts';
export { disableUser } from './disable-user.ts';
export { findSession, type Session } from './find-session.ts';
export { createUserWithPassword, replacePassword, resetTotp } from './first-password.ts';
export { type Invitation, inviteUser } from './invite-user.ts';
export { type ListedSession, listSessions } from './list-sessions.ts';
export { type ListedUser, listUsers } from './list-users.ts';
export { manageUser, type UserChanges } from './manage-user.ts';
export { regenerateRecoveryCodes } from './regenerate-recovery-codes.ts';
export { requestPasswordReset } from './request-password-reset.ts';
export { type ResealedTotp, resealTotpSecrets } from './reseal-totp.ts';
export { resetPassword } from './reset-password.ts';
export { revokeSession } from './revoke-session.ts';
export { type Standing, USER_ROLES, type UserRole } from './role.ts';
export type { StartedSession } from './sessions.ts';
export { type SignInRequest, signIn } from './sign-in.ts';
export { signOut } from './sign-out.ts';
export { type SignUpRequest, signUp } from './sign-up.ts';
export { TooManyAttempts } from './throttle.ts';
export { findUserByEmail } from './user-rows.ts';
export type { BothFactors } from './with-both-factors.ts';
