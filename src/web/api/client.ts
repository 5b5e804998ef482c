import { QueryClient } from '@tanstack/react-query';
import { BASE, hrefOf, PATHS } from '../routing/paths.ts';
import { navigate } from '../routing/router.ts';
import { RequestFailure } from './request.ts';

const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 15_000;
/** Data younger than this is not fetched again when a page opens. */
const FRESH_MS = 5_000;

/**
 * The cache of all server data. Retries only temporary errors, for as long as a component needs the
 * data.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      refetchOnWindowFocus: true,
      // The browser's offline state is unreliable, so requests are always attempted.
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

/** Delay before a retry: doubles each time, up to 15 seconds. */
export function retryDelayMs(attempt: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** attempt, MAX_RETRY_MS);
}

/** Opens the sign-in page, which returns to the current page afterwards. */
export function toSignIn(): void {
  if (OPEN_PATHS.some((path) => location.pathname.startsWith(`${BASE}${path}`))) return;
  queryClient.clear();
  const here = `${location.pathname}${location.search}`;
  navigate(hrefOf('signIn', {}, { from: here === `${BASE}/` ? undefined : here }), { replaces: true });
}

// Helpers

/** Pages that need no sign-in. */
const OPEN_PATHS = [PATHS.signIn, PATHS.forgotten, PATHS.resetPassword, PATHS.signUp];

function isSignedOut(error: unknown): boolean {
  return error instanceof RequestFailure && error.status === 401;
}
