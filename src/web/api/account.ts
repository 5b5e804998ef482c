import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type {
  BegunTotp,
  BothFactorsBody,
  FirstPasswordBody,
  ListedSession,
  ListedUser,
  NewUserBody,
  OpenInfo,
  PasswordChangeBody,
  ReauthenticateBody,
  RecoveryCodes,
  SetupBody,
  SignedIn,
  SignInBody,
  SignUpBody,
  UserChangesBody,
} from '../../http/console/session/schemas.ts';
import { hrefOf } from '../routing/paths.ts';
import { navigate } from '../routing/router.ts';
import { request } from './request.ts';

/** The signed-in user, their sessions and second factor, and the users they manage. */

const ME = ['me'] as const;
const SESSIONS = ['sessions'] as const;
const USERS = ['users'] as const;

export function useSignedIn() {
  return useQuery(
    queryOptions({ queryKey: ME, queryFn: ({ signal }) => request<SignedIn>('/me', { signal }), staleTime: 60_000 }),
  );
}

/** A 401 here means wrong credentials, not an expired session. */
export function useSignIn() {
  const client = useQueryClient();
  return useMutation({
    meta: { isSignIn: true },
    mutationFn: (body: SignInBody) => request<unknown>('/sign-in', { method: 'POST', body }),
    onSuccess: () => client.removeQueries(),
  });
}

/** Confirms the password again, before a change that requires it. */
export function useReauthenticate() {
  return useMutation({
    mutationFn: (body: ReauthenticateBody) => request<unknown>('/reauthenticate', { method: 'POST', body }),
    gcTime: 0,
  });
}

export function useSignOut() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => request<unknown>('/sign-out', { method: 'POST' }),
    onSuccess: () => {
      navigate(hrefOf('signIn', {}));
      client.clear();
    },
  });
}

/** Whether sign-up is open. */
export function useSignUpInfo() {
  return useQuery({
    queryKey: ['sign-up'],
    queryFn: ({ signal }) => request<OpenInfo>('/sign-up', { signal }),
    staleTime: 60_000,
  });
}

/** Whether the installation has no user yet. */
export function useSetupInfo() {
  return useQuery({
    queryKey: ['setup'],
    queryFn: ({ signal }) => request<OpenInfo>('/setup', { signal }),
    staleTime: 0,
  });
}

/** Creates the first operator and signs them in. */
export function useSetUp() {
  const client = useQueryClient();
  return useMutation({
    meta: { isSignIn: true },
    mutationFn: (body: SetupBody) => request<unknown>('/setup', { method: 'POST', body }),
    onSuccess: () => client.removeQueries(),
  });
}

export function useSignUp() {
  return useMutation({
    meta: { isSignIn: true },
    mutationFn: (body: SignUpBody) => request<unknown>('/sign-up', { method: 'POST', body }),
  });
}

export function useConfirmSignUp() {
  return useMutation({
    meta: { isSignIn: true },
    mutationFn: (body: { token: string; password: string }) =>
      request<unknown>('/sign-up/confirm', { method: 'POST', body }),
  });
}

export function useForgottenPassword() {
  return useMutation({
    meta: { isSignIn: true },
    mutationFn: (body: { email: string }) => request<unknown>('/password-reset/request', { method: 'POST', body }),
  });
}

export function useResetPassword() {
  return useMutation({
    meta: { isSignIn: true },
    mutationFn: (body: FirstPasswordBody) => request<unknown>('/password-reset/confirm', { method: 'POST', body }),
  });
}

export function useChangePassword() {
  return useChange((body: PasswordChangeBody) => request<unknown>('/password', { method: 'POST', body }));
}

export function useBeginTotp() {
  return useMutation({
    mutationFn: (body: { password: string }) => request<BegunTotp>('/totp/begin', { method: 'POST', body }),
  });
}

/** Returns the recovery codes; they are shown only this once. */
export function useConfirmTotp() {
  return useChange((body: { code: string }) => request<RecoveryCodes>('/totp/confirm', { method: 'POST', body }));
}

export function useDisableTotp() {
  return useChange((body: BothFactorsBody) => request<unknown>('/totp/disable', { method: 'POST', body }));
}

export function useNewRecoveryCodes() {
  return useChange((body: BothFactorsBody) => request<RecoveryCodes>('/recovery-codes', { method: 'POST', body }));
}

export function useSessions() {
  return useQuery({
    queryKey: SESSIONS,
    queryFn: ({ signal }) => request<readonly ListedSession[]>('/sessions', { signal }),
  });
}

export function useEndSession() {
  return useChange((id: string) => request<unknown>(`/sessions/${encodeURIComponent(id)}`, { method: 'DELETE' }));
}

export function useUsers() {
  return useQuery({ queryKey: USERS, queryFn: ({ signal }) => request<readonly ListedUser[]>('/users', { signal }) });
}

export function useInviteUser() {
  return useChange((body: NewUserBody) => request<unknown>('/users', { method: 'POST', body }));
}

export function useManageUser() {
  return useChange(({ id, ...body }: UserChangesBody & { readonly id: string }) =>
    request<unknown>(`/users/${encodeURIComponent(id)}`, { method: 'PATCH', body }),
  );
}

// Helpers

/** A mutation of an account. Invalidates all account queries afterwards. */
function useChange<Body, Answer>(mutationFn: (body: Body) => Promise<Answer>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn,
    onSuccess: () => Promise.all([ME, SESSIONS, USERS].map((queryKey) => client.invalidateQueries({ queryKey }))),
  });
}
