import { useCallback, useSyncExternalStore } from 'react';
import { type Match, matchPath, type Query, queryText } from './paths.ts';

/**
 * The address bar is the state: what is looked at, filtered and unfolded can be sent to a colleague or gone back from. This is all of
 * the router: listen to the history, tell who watches.
 */
const watchers = new Set<() => void>();

globalThis.addEventListener('popstate', tell);

export interface NavigateOptions {
  /** Takes the place of the current entry: going back skips it. For steps that are too small to go back to. */
  readonly replaces?: boolean;
}

/** Goes to an address of the console without loading it anew. */
export function navigate(href: string, { replaces = false }: NavigateOptions = {}): void {
  if (href === `${location.pathname}${location.search}`) return;
  const isOtherPage = new URL(href, location.href).pathname !== location.pathname;
  if (replaces) history.replaceState(null, '', href);
  else history.pushState(null, '', href);
  if (isOtherPage && !replaces) scrollTo(0, 0);
  tell();
}

/** The page that is looked at; null when the address means none. */
export function useMatch(): Match | null {
  return matchPath(useSyncExternalStore(watch, () => location.pathname));
}

/** What follows the question mark. */
export function useQuery(): URLSearchParams {
  return new URLSearchParams(useSyncExternalStore(watch, () => location.search));
}

/** Sets parts of the query and leaves the others; undefined or empty removes. */
export function useSetQuery(): (changes: Query, options?: NavigateOptions) => void {
  return useCallback((changes, options) => {
    const query = { ...Object.fromEntries(new URLSearchParams(location.search)), ...changes };
    navigate(`${location.pathname}${queryText(query)}`, options);
  }, []);
}

// Helpers

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

function tell(): void {
  for (const watcher of watchers) watcher();
}
