import { useSyncExternalStore } from 'react';
import { usePreference } from '../../../state/preferences.ts';

const DARK = matchMedia('(prefers-color-scheme: dark)');

/** The current theme: the user's choice, otherwise the system's. For drawings outside of CSS. */
export function useShownTheme(): 'light' | 'dark' {
  const chosen = usePreference('theme');
  const isDark = useSyncExternalStore(watch, () => DARK.matches);
  if (chosen !== 'system') return chosen;
  return isDark ? 'dark' : 'light';
}

// Helpers

function watch(watcher: () => void): () => void {
  DARK.addEventListener('change', watcher);
  return () => DARK.removeEventListener('change', watcher);
}
