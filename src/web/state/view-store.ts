import { createStore } from '@xstate/store';
import { useSyncExternalStore } from 'react';
import { readViews, type SavedView, type SavedViews, withNewName, withoutView, withView } from './kept-views.ts';

/** Preferences, stored in the browser. The current page and filter are in the URL instead. */
export interface View {
  readonly theme: Theme;
  /** Whether live updates are on. */
  readonly isLive: boolean;
  /**
   * Single-key shortcuts can interfere with speech input, so they can be turned off (WCAG 2.1.4).
   */
  readonly hasShortcuts: boolean;
  /** Whether the completed first steps of a merchant are hidden. */
  readonly hasPutAwayFirstSteps: boolean;
  readonly savedViews: SavedViews;
}

export type Theme = 'system' | 'light' | 'dark';

const STORED_AS = 'quittance.view';
const THEMES: readonly Theme[] = ['system', 'light', 'dark'];

export const viewStore = createStore({
  context: storedView(),
  on: {
    themeChosen: (view, { theme }: { theme: Theme }) => ({ ...view, theme }),
    liveToggled: (view) => ({ ...view, isLive: !view.isLive }),
    shortcutsToggled: (view) => ({ ...view, hasShortcuts: !view.hasShortcuts }),
    viewSaved: (view, saved: SavedView) => ({ ...view, savedViews: withView(view.savedViews, saved) }),
    viewRenamed: (view, change: Parameters<typeof withNewName>[1]) => ({
      ...view,
      savedViews: withNewName(view.savedViews, change),
    }),
    viewRemoved: (view, removed: Parameters<typeof withoutView>[1]) => ({
      ...view,
      savedViews: withoutView(view.savedViews, removed),
    }),
    firstStepsPutAway: (view) => ({ ...view, hasPutAwayFirstSteps: true }),
  },
});

viewStore.subscribe(({ context }) => {
  try {
    localStorage.setItem(STORED_AS, JSON.stringify(context));
  } catch {
    // Without storage, preferences last as long as the tab.
  }
  showTheme(context.theme);
});
showTheme(viewStore.getSnapshot().context.theme);

/** One preference; the component rerenders when it changes. */
export function useView<Key extends keyof View>(key: Key): View[Key] {
  return useSyncExternalStore(subscribe, () => viewStore.getSnapshot().context[key]);
}

/** Cycles through system, light and dark. */
export function nextTheme(theme: Theme): Theme {
  return THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'system';
}

// Helpers

function subscribe(watcher: () => void): () => void {
  const subscription = viewStore.subscribe(watcher);
  return () => subscription.unsubscribe();
}

function showTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

function storedView(): View {
  let stored: Partial<Record<keyof View, unknown>> = {};
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
