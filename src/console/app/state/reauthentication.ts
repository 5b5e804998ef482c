import { createStore } from '@xstate/store';
import { useSyncExternalStore } from 'react';

/** Whether the password is asked for, by a request that waits for it. */
const store = createStore({
  context: { isAsked: false },
  on: {
    asked: () => ({ isAsked: true }),
    answered: () => ({ isAsked: false }),
  },
});

let waiting: readonly ((isGiven: boolean) => void)[] = [];

/**
 * Has the dialog ask for the password. Resolves to false when the user leaves it; requests at once
 * share one dialog.
 */
export function askForPassword(): Promise<boolean> {
  store.trigger.asked();
  return new Promise((resolve) => {
    waiting = [...waiting, resolve];
  });
}

/** Closes the dialog and lets what waits for it go on. */
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
