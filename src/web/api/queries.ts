import { type UseMutationOptions, useMutation } from '@tanstack/react-query';
import { type Query, queryText } from '../routing/paths.ts';
import { createBatchedRefresh } from './batched-refresh.ts';
import { queryClient } from './client.ts';
import { request } from './request.ts';

/** A query for `useQuery`. Its key is its URL. */
export function read<T>(path: string, query: Query = {}) {
  const url = `${path}${queryText(query)}`;
  return {
    queryKey: [url] as const,
    queryFn: ({ signal }: { readonly signal: AbortSignal }) => request<T>('GET', url, undefined, signal),
  };
}

/**
 * A list for `useInfiniteQuery`, read page by page.
 *
 * @param next What the query of the following page adds; null after the last page.
 */
export function readPages<Page>(
  path: string,
  query: Query,
  next: (page: Page, pages: readonly Page[]) => Query | null,
) {
  return {
    queryKey: [`${path}${queryText(query)}`] as const,
    queryFn: ({ pageParam, signal }: { readonly pageParam: Query; readonly signal: AbortSignal }) =>
      request<Page>('GET', `${path}${queryText({ ...query, ...pageParam })}`, undefined, signal),
    initialPageParam: {} as Query,
    getNextPageParam: next,
  };
}

/** `next` of lists whose pages have the cursor of the following one. */
export function nextCursor({ cursor }: { readonly cursor: string | null }): Query | null {
  return cursor === null ? null : { cursor };
}

type ChangeOptions<Body, ResponseBody> = Pick<UseMutationOptions<ResponseBody, Error, Body>, 'gcTime'> & {
  /** Called before the refresh, even if the component is gone. */
  readonly onSuccess?: (response: ResponseBody, body: Body) => void;
};

/**
 * A request that changes data. Refreshes these paths afterwards, also after an error, because
 * another user may have been faster; the error is then not delayed.
 */
export function useChange<Body = void, ResponseBody = unknown>(
  mutationFn: (body: Body) => Promise<ResponseBody>,
  paths: readonly string[],
  { onSuccess, ...options }: ChangeOptions<Body, ResponseBody> = {},
) {
  return useMutation({
    ...options,
    mutationFn,
    onSuccess: (response, body) => {
      onSuccess?.(response, body);
      return refresh(...paths);
    },
    onError: () => void refresh(...paths),
  });
}

/**
 * Invalidates the queries of these paths and of the paths below them; what is on the screen is
 * fetched again. A path that ends with `?` excludes the paths below it.
 */
export function refresh(...paths: readonly string[]): Promise<void> {
  return queryClient.invalidateQueries({
    predicate: ({ queryKey: [url] }) => paths.some((path) => isOf(String(url), path)),
  });
}

/**
 * The first change after a quiet period is shown immediately, further ones once a second: requests
 * are limited per user, and a busy shop changes without pause.
 */
export const refreshSoon = createBatchedRefresh(refresh, 1_000);

/** The same for responses that aggregate many payments, which cost the database more. */
export const refreshSums = createBatchedRefresh(refresh, 10_000);

// Helpers

function isOf(url: string, path: string): boolean {
  return url.startsWith(path) && (path.endsWith('?') || /^([/?]|$)/.test(url.slice(path.length)));
}
