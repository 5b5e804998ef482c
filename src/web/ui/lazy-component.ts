import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import { BASE } from '../routing/paths.ts';

/**
 * A component whose code is loaded when it is first shown; `name` is its name in its file. After
 * a deployment, a page that was opened before finds its files gone: it is then reloaded once, and
 * gets the new ones. Where that does not help, showing the component throws.
 */
export function lazyComponent<Name extends string, Props>(
  load: () => Promise<{ readonly [_ in Name]: ComponentType<Props> }>,
  name: Name,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => {
    try {
      return { default: (await load())[name] };
    } catch (error) {
      if (!(await isServerThere()) || !mayReload()) throw error;
      location.reload();
      // Keeps the placeholder until the browser has left this document.
      return new Promise<never>(() => {});
    }
  });
}

// Helpers

/** Sooner, reloading has not helped: the error is shown. */
const RELOAD_AT_MOST_EVERY_MS = 60_000;
const STORED_AS = 'quittance.reloadedAt';

/** Reloading without a server would replace the console with an error page of the browser. */
async function isServerThere(): Promise<boolean> {
  try {
    return (await fetch(`${BASE}/`, { cache: 'no-store' })).ok;
  } catch {
    return false;
  }
}

/** Records the reload that it permits. */
function mayReload(): boolean {
  try {
    const isRecent = Date.now() - Number(sessionStorage.getItem(STORED_AS)) < RELOAD_AT_MOST_EVERY_MS;
    if (!isRecent) sessionStorage.setItem(STORED_AS, String(Date.now()));
    return !isRecent;
  } catch {
    // Without storage, one reload could follow another for ever.
    return false;
  }
}
