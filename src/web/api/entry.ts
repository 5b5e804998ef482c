import { useMutation, useQuery } from '@tanstack/react-query';
import type {
  FirstPasswordBody,
  MailInfo,
  OpenInfo,
  PasswordLink,
  SetupBody,
  SignInBody,
  SignUpBody,
} from '../../http/console/session/schemas.ts';
import { queryClient } from './client.ts';
import { read } from './queries.ts';
import { request } from './request.ts';

/** What pages without a session ask for: signing in and up, setting up, and links of emails. */

export function useSignIn() {
  return useOpenRequest<SignInBody>('/sign-in', () => queryClient.removeQueries());
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
