import { useCallback, useSyncExternalStore } from 'react';
import type { Mode } from '../../contract/desk.ts';
import { hasModes, type Match, matchPath, modeInMind, type Query, queryText } from './paths.ts';

/**
 * The address bar is the state: what is looked at, filtered and unfolded can be sent to a colleague or gone back from. This is all of
 * the router: listen to the history, tell who watches.
 */
const watchers = new Set<() => void>();

globalThis.addEventListener('popstate', tell);
keepModeInMind();

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

/** Whether live or test payments are looked at. Pages without modes keep what was looked at before. */
export function useMode(): Mode {
  return useSyncExternalStore(watch, () => modeInMind.current);
}

/** For pages without modes, whose address does not say it. */
export function chooseMode(mode: Mode): void {
  modeInMind.current = mode;
  tell();
}

// Helpers

function keepModeInMind(): void {
  const match = matchPath(location.pathname);
  if (match !== null && hasModes(match.page)) modeInMind.current = match.mode;
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

function tell(): void {
  keepModeInMind();
  for (const watcher of watchers) watcher();
}
