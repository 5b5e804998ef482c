import { createStore } from '@xstate/store';
import { useSyncExternalStore } from 'react';

/** Whether a pending request requires the password. */
const store = createStore({
  context: { isRequested: false },
  on: {
    requested: () => ({ isRequested: true }),
    responded: () => ({ isRequested: false }),
  },
});

let waiting: readonly ((isGiven: boolean) => void)[] = [];

/**
 * Opens the password dialog. Resolves to false when the user cancels; concurrent requests share one
 * dialog.
 */
export function requestPassword(): Promise<boolean> {
  store.trigger.requested();
  return new Promise((resolve) => {
    waiting = [...waiting, resolve];
  });
}

/** Closes the dialog and resolves the pending requests. */
export function submitPassword(isGiven: boolean): void {
  const settled = waiting;
  waiting = [];
  store.trigger.responded();
  for (const resolve of settled) resolve(isGiven);
}

export function useIsPasswordRequested(): boolean {
  return useSyncExternalStore(subscribe, () => store.getSnapshot().context.isRequested);
}

// Helpers

function subscribe(watcher: () => void): () => void {
  const subscription = store.subscribe(watcher);
  return () => subscription.unsubscribe();
}
