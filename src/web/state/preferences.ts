import { createStore } from '@xstate/store';
import { useSyncExternalStore } from 'react';
import { readViews, type SavedView, withNewName, withoutView, withView } from './saved-views.ts';

/** Preferences, stored in the browser. The current page and filter are in the URL instead. */
export interface Preferences {
  readonly theme: Theme;
  readonly isLive: boolean;
  /**
   * Single-key shortcuts can interfere with speech input, so they can be turned off (WCAG 2.1.4).
   */
  readonly hasShortcuts: boolean;
  /** Whether the completed first steps of a merchant are hidden. */
  readonly hasPutAwayFirstSteps: boolean;
  readonly savedViews: readonly SavedView[];
}

export type Theme = 'system' | 'light' | 'dark';

const STORED_AS = 'quittance.view';
const THEMES: readonly Theme[] = ['system', 'light', 'dark'];

export const preferenceStore = createStore({
  context: storedPreferences(),
  on: {
    themeChosen: (all, { theme }: { theme: Theme }) => ({ ...all, theme }),
    liveToggled: (all) => ({ ...all, isLive: !all.isLive }),
    shortcutsToggled: (all) => ({ ...all, hasShortcuts: !all.hasShortcuts }),
    viewSaved: (all, saved: SavedView) => ({ ...all, savedViews: withView(all.savedViews, saved) }),
    viewRenamed: (all, change: Parameters<typeof withNewName>[1]) => ({
      ...all,
      savedViews: withNewName(all.savedViews, change),
    }),
    viewRemoved: (all, removed: Parameters<typeof withoutView>[1]) => ({
      ...all,
      savedViews: withoutView(all.savedViews, removed),
    }),
    firstStepsPutAway: (all) => ({ ...all, hasPutAwayFirstSteps: true }),
  },
});

preferenceStore.subscribe(({ context }) => {
  try {
    localStorage.setItem(STORED_AS, JSON.stringify(context));
  } catch {
    // Without storage, preferences last as long as the tab.
  }
  showTheme(context.theme);
});
showTheme(preferenceStore.getSnapshot().context.theme);

/** One preference; the component rerenders when it changes. */
export function usePreference<Key extends keyof Preferences>(key: Key): Preferences[Key] {
  return useSyncExternalStore(subscribe, () => preferenceStore.getSnapshot().context[key]);
}

/** Cycles through system, light and dark. */
export function nextTheme(theme: Theme): Theme {
  return THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'system';
}

// Helpers

function subscribe(watcher: () => void): () => void {
  const subscription = preferenceStore.subscribe(watcher);
  return () => subscription.unsubscribe();
}

function showTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

function storedPreferences(): Preferences {
  let stored: Partial<Record<keyof Preferences, unknown>> = {};
  try {
    stored = JSON.parse(localStorage.getItem(STORED_AS) ?? '{}') ?? {};
  } catch {
    // Unreadable storage counts as empty.
  }
  return {
    theme: THEMES.find((theme) => theme === stored.theme) ?? 'system',
    isLive: stored.isLive !== false,
    hasShortcuts: stored.hasShortcuts !== false,
    hasPutAwayFirstSteps: stored.hasPutAwayFirstSteps === true,
    savedViews: readViews(stored.savedViews),
  };
}
