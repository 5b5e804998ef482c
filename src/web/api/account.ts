import { useMutation, useQuery } from '@tanstack/react-query';
import type {
  BegunTotp,
  BothFactorsBody,
  FirstPasswordBody,
  InvitedUser,
  ListedSession,
  ListedUser,
  MailInfo,
  NewUserBody,
  OpenInfo,
  PasswordChangeBody,
  PasswordLink,
  ReauthenticateBody,
  RecoveryCodes,
  ResentInvitation,
  SetupBody,
  SignedIn,
  SignInBody,
  SignUpBody,
  UserChangesBody,
} from '../../http/console/session/schemas.ts';
import { hrefOf } from '../routing/paths.ts';
import { navigate } from '../routing/router.ts';
import { queryClient } from './client.ts';
import { read, useChange } from './queries.ts';
import { request } from './request.ts';

/** The signed-in user, their sessions and second factor, and the users they manage. */

const ACCOUNT = ['/me', '/sessions', '/users'];

export function useSignedIn() {
  return useQuery({ ...read<SignedIn>('/me'), staleTime: 60_000 });
}

export function useSignIn() {
  return useOpenRequest<SignInBody>('/sign-in', () => queryClient.removeQueries());
}

/** Confirms the password again, before a change that requires it. */
export function useReauthenticate() {
  return useMutation({
    mutationFn: (body: ReauthenticateBody) => request('POST', '/reauthenticate', body),
    gcTime: 0,
  });
}

export function useSignOut() {
  return useMutation({
    mutationFn: () => request('POST', '/sign-out'),
    onSuccess: () => {
      navigate(hrefOf('signIn', {}));
      queryClient.clear();
    },
  });
}

/** Whether sign-up is open. */
export function useSignUpInfo() {
  return useQuery({ ...read<OpenInfo>('/sign-up'), staleTime: 60_000 });
}

/** Whether the installation has no user yet. */
export function useSetupInfo() {
  return useQuery({ ...read<OpenInfo>('/setup'), staleTime: 0 });
}

/** Whether the token of a setup link is valid. */
export function useSetupLink(token: string) {
  return useLinkCheck('/setup/link', token);
}

/** Whether the service sends emails. */
export function useMailInfo() {
  return useQuery({ ...read<MailInfo>('/mail-info'), staleTime: 60_000 });
}

/** Creates the first operator and signs them in. */
export function useSetUp() {
  return useOpenRequest<SetupBody>('/setup', () => queryClient.removeQueries());
}

export function useSignUp() {
  return useOpenRequest<SignUpBody>('/sign-up');
}

export function useConfirmSignUp() {
  return useOpenRequest<FirstPasswordBody>('/sign-up/confirm');
}

export function useForgottenPassword() {
  return useOpenRequest<{ email: string }>('/password-reset/request');
}

export function useResetPassword() {
  return useOpenRequest<FirstPasswordBody>('/password-reset/confirm');
}

/** What the token of a link is for. */
export function usePasswordLink(token: string) {
  return useLinkCheck<PasswordLink>('/password-reset/link', token);
}

export function useChangePassword() {
  return useChange((body: PasswordChangeBody) => request('POST', '/password', body), ACCOUNT);
}

export function useBeginTotp() {
  return useMutation({
    mutationFn: (body: { password: string }) => request<BegunTotp>('POST', '/totp/begin', body),
  });
}

/** `show` receives the recovery codes, which cannot be fetched again. */
export function useConfirmTotp(show: (made: RecoveryCodes) => void) {
  return useChange((body: { code: string }) => request<RecoveryCodes>('POST', '/totp/confirm', body), ACCOUNT, {
    onSuccess: show,
  });
}

export function useDisableTotp() {
  return useChange((body: BothFactorsBody) => request('POST', '/totp/disable', body), ACCOUNT);
}

/** `show` works as for a new app. */
export function useNewRecoveryCodes(show: (made: RecoveryCodes) => void) {
  return useChange((body: BothFactorsBody) => request<RecoveryCodes>('POST', '/recovery-codes', body), ACCOUNT, {
    onSuccess: show,
  });
}

export function useSessions() {
  return useQuery(read<readonly ListedSession[]>('/sessions'));
}

export function useEndSession() {
  return useChange((id: string) => request('DELETE', `/sessions/${encodeURIComponent(id)}`), ACCOUNT);
}

export function useUsers() {
  return useQuery(read<readonly ListedUser[]>('/users'));
}

export function useInviteUser() {
  return useChange((body: NewUserBody) => request<InvitedUser>('POST', '/users', body), ACCOUNT, { gcTime: 0 });
}

export function useResendInvitation() {
  return useChange(
    (id: string) => request<ResentInvitation>('POST', `/users/${encodeURIComponent(id)}/resend-invitation`),
    ACCOUNT,
    { gcTime: 0 },
  );
}

export function useManageUser() {
  return useChange(
    ({ id, ...body }: UserChangesBody & { readonly id: string }) =>
      request('PATCH', `/users/${encodeURIComponent(id)}`, body),
    ACCOUNT,
  );
}

// Helpers

/** Asks once about the token of a link, in a body, so that no log of addresses holds it. */
function useLinkCheck<T>(path: string, token: string) {
  return useQuery({
    queryKey: [path, token],
    queryFn: () => request<T>('POST', path, { token }),
    enabled: token !== '',
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

/** A request without a session. A 401 means wrong credentials, not an expired session. */
function useOpenRequest<Body>(path: string, onSuccess = () => {}) {
  return useMutation({
    meta: { isSignIn: true },
    mutationFn: (body: Body) => request('POST', path, body),
    onSuccess,
  });
}
