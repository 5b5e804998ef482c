import { useMutation, useQuery } from '@tanstack/react-query';
import type {
  BegunTotp,
  BothFactorsBody,
  InvitedUser,
  ListedSession,
  ListedUser,
  NewUserBody,
  PasswordChangeBody,
  ReauthenticateBody,
  RecoveryCodes,
  ResentInvitation,
  SignedIn,
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
