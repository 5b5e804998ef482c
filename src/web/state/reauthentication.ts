import { createStore } from '@xstate/store';
import { useSyncExternalStore } from 'react';

/** Whether a pending request requires the password. */
const store = createStore({
  context: { isAsked: false },
  on: {
    asked: () => ({ isAsked: true }),
    answered: () => ({ isAsked: false }),
  },
});

let waiting: readonly ((isGiven: boolean) => void)[] = [];

/**
 * Opens the password dialog. Resolves to false when the user cancels; concurrent requests share one
 * dialog.
 */
export function askForPassword(): Promise<boolean> {
  store.trigger.asked();
  return new Promise((resolve) => {
    waiting = [...waiting, resolve];
  });
}

/** Closes the dialog and resolves the pending requests. */
export function answerPassword(isGiven: boolean): void {
  const settled = waiting;
  waiting = [];
  store.trigger.answered();
  for (const resolve of settled) resolve(isGiven);
}

export function useIsPasswordAsked(): boolean {
  return useSyncExternalStore(subscribe, () => store.getSnapshot().context.isAsked);
}

// Helpers

function subscribe(watcher: () => void): () => void {
  const subscription = store.subscribe(watcher);
  return () => subscription.unsubscribe();
}
