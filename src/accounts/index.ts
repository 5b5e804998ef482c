/** Public interface of accounts: users who sign in, their sessions, second factors and roles. */

export type { AccountsDeps, SignedInUser } from './deps.ts';
export { emailOwners } from './emails/email-owners.ts';
export { emailSecurityChange, type SecurityChange, sampleSecurityEmail } from './emails/email-security-change.ts';
export { changePassword } from './password/change-password.ts';
export { createUserWithPassword, replacePassword } from './password/first-password.ts';
export { type PasswordLink, readPasswordLink, requestPasswordReset, resetPassword } from './password/reset-password.ts';
export { resealTotpSecrets } from './second-factor/reseal-totp.ts';
export { resetTotp } from './second-factor/reset-totp.ts';
export { type BegunTotp, beginTotp, confirmTotp } from './second-factor/set-up-totp.ts';
export { disableTotp, regenerateRecoveryCodes } from './second-factor/with-both-factors.ts';
export { endAllSessions, revokeSession, signOut } from './sessions/end-sessions.ts';
export { findSession, type Session } from './sessions/find-session.ts';
export { type ListedSession, listSessions } from './sessions/list-sessions.ts';
export { reauthenticate, requireRecentPassword } from './sessions/reauthenticate.ts';
export { signIn } from './sessions/sign-in.ts';
export { confirmSignUp } from './sign-up/confirm-sign-up.ts';
export { type OpenedMerchant, openMerchant } from './sign-up/open-merchant.ts';
export { isSetupOpen, offerSetup, requireSetupLink, type SetupRequest, setUp } from './sign-up/setup.ts';
export { signUp } from './sign-up/sign-up.ts';
export { TooManyAttempts } from './throttle.ts';
export { type InvitedUser, inviteUser } from './users/invite-user.ts';
export { emailsOfColleagues, type ListedUser, listUsers } from './users/list-users.ts';
export { disableUser, manageUser } from './users/manage-user.ts';
export { resendInvitation } from './users/resend-invitation.ts';
export { USER_ROLES, type UserRole } from './users/role.ts';
export { findUserByEmail } from './users/user-rows.ts';
