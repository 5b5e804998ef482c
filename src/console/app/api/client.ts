import { QueryClient } from '@tanstack/react-query';
import { BASE, hrefOf, PATHS } from '../routing/paths.ts';
import { navigate } from '../routing/router.ts';
import { RequestFailure } from './request.ts';

const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 15_000;
/** What was fetched this recently is not fetched again by opening it. */
const FRESH_MS = 5_000;

/** All server data is in here. What only passes is asked again for as long as somebody looks; nothing else is repeated. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      refetchOnWindowFocus: true,
      // The browser's word on being offline is often wrong; an attempt is the only proof.
      networkMode: 'always',
      retry: (_, error) => error instanceof RequestFailure && error.isPassing,
      retryDelay: retryDelayMs,
    },
    mutations: { networkMode: 'always', retry: false },
  },
});

queryClient.getQueryCache().subscribe(({ query, type }) => {
  if (type === 'updated' && isSignedOut(query.state.error)) toSignIn();
});
queryClient.getMutationCache().subscribe(({ mutation, type }) => {
  if (type === 'updated' && mutation?.meta?.isSignIn !== true && isSignedOut(mutation?.state.error)) toSignIn();
});

/** How long to wait before asking again: doubling, up to a quarter of a minute. */
export function retryDelayMs(attempt: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** attempt, LONGEST_RETRY_MS);
}

/** Goes to the sign-in page, which leads back here. */
export function toSignIn(): void {
  if (OPEN_PATHS.some((path) => location.pathname.startsWith(`${BASE}${path}`))) return;
  queryClient.clear();
  const here = `${location.pathname}${location.search}`;
  navigate(hrefOf('signIn', {}, { from: here === `${BASE}/` ? undefined : here }), { replaces: true });
}

// Helpers

/** Pages for those who are not signed in. */
const OPEN_PATHS = [PATHS.signIn, PATHS.forgotten, PATHS.resetPassword, PATHS.signUp];

function isSignedOut(error: unknown): boolean {
  return error instanceof RequestFailure && error.status === 401;
}
