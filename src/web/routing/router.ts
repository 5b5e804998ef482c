import { useCallback, useSyncExternalStore } from 'react';
import type { Mode } from '../../http/console/merchant/schemas.ts';
import { hasModes, type Match, matchPath, type Query, queryText, selectedMode } from './paths.ts';

/**
 * The URL is the state: page, filter and expanded items can be shared and undone with the back
 * button. The router only listens to the history and notifies its subscribers.
 */
const watchers = new Set<() => void>();

/** Where a tab keeps its mode, for pages that have none and are loaded anew. */
const STORED_AS = 'quittance.mode';

globalThis.addEventListener('popstate', notify);
setMode(storedMode());
keepModeInMind();

export interface NavigateOptions {
  /** Replaces the current history entry, so that the back button skips it. For small steps. */
  readonly replaces?: boolean;
}

/** Goes to a URL of the console without reloading it. */
export function navigate(href: string, { replaces = false }: NavigateOptions = {}): void {
  if (href === `${location.pathname}${location.search}`) return;
  const isOtherPage = new URL(href, location.href).pathname !== location.pathname;
  if (replaces) history.replaceState(null, '', href);
  else history.pushState(null, '', href);
  if (isOtherPage && !replaces) scrollTo(0, 0);
  notify();
}

/** The current page; null for an unknown URL. */
export function useMatch(): Match | null {
  return matchPath(useSyncExternalStore(watch, () => location.pathname));
}

export function useSearchParams(): URLSearchParams {
  return new URLSearchParams(useSyncExternalStore(watch, () => location.search));
}

/** Sets some query parameters and keeps the others; undefined or empty removes one. */
export function useSetSearchParams(): (changes: Query, options?: NavigateOptions) => void {
  return useCallback((changes, options) => {
    const query = { ...Object.fromEntries(new URLSearchParams(location.search)), ...changes };
    navigate(`${location.pathname}${queryText(query)}`, options);
  }, []);
}

/** Whether live or test payments are shown. Pages without modes keep the previous mode. */
export function useMode(): Mode {
  return useSyncExternalStore(watch, () => selectedMode.current);
}

/** For pages without modes, whose URL does not contain the mode. */
export function chooseMode(mode: Mode): void {
  setMode(mode);
  notify();
}

// Helpers

function keepModeInMind(): void {
  const match = matchPath(location.pathname);
  if (match !== null && hasModes(match.page)) setMode(match.mode);
}

function setMode(mode: Mode): void {
  if (mode === selectedMode.current) return;
  selectedMode.current = mode;
  try {
    sessionStorage.setItem(STORED_AS, mode);
  } catch {
    // Without storage, a page without modes starts in live mode.
  }
}

function storedMode(): Mode {
  try {
    return sessionStorage.getItem(STORED_AS) === 'test' ? 'test' : 'live';
  } catch {
    return 'live';
  }
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

function notify(): void {
  keepModeInMind();
  for (const watcher of watchers) watcher();
}
