import { useChange } from './queries.ts';

/**
 * `useChange` for a response with a secret, which must not stay in the cache. `onSuccess` receives
 * it even if the form was closed before the response: it cannot be fetched again.
 */
export function useSecretChange<Body, ResponseBody>(
  mutationFn: (body: Body) => Promise<ResponseBody>,
  paths: readonly string[],
  onSuccess: (response: ResponseBody, body: Body) => void,
) {
  return useChange(mutationFn, paths, { gcTime: 0, onSuccess });
}
