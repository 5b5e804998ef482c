import { createStore } from '@xstate/store';
import { useSyncExternalStore } from 'react';

/**
 * A short confirmation of an action. Never contains anything that must be read or pressed, because
 * it disappears automatically.
 */
export interface ToastMessage {
  readonly id: number;
  readonly text: string;
  readonly tone: 'good' | 'bad';
}

const SHOWN_MS = 6_000;
const MAX_SHOWN = 3;

const toastStore = createStore({
  context: { messages: [] as readonly ToastMessage[] },
  on: {
    shown: ({ messages }, { message }: { message: ToastMessage }) => ({
      messages: [...messages, message].slice(-MAX_SHOWN),
    }),
    hidden: ({ messages }, { id }: { id: number }) => ({
      messages: messages.filter((message) => message.id !== id),
    }),
  },
});

let lastId = 0;

/** Shows a toast for six seconds. */
export function toast(text: string, tone: ToastMessage['tone'] = 'good'): void {
  lastId += 1;
  const id = lastId;
  toastStore.trigger.shown({ message: { id, text, tone } });
  setTimeout(() => toastStore.trigger.hidden({ id }), SHOWN_MS);
}

/** For `mutate`: shows a toast after the change, and closes its dialog. */
export function toastAndClose(text: string, close: () => void): { onSuccess(): void } {
  return {
    onSuccess: () => {
      toast(text);
      close();
    },
  };
}

export function useToasts(): readonly ToastMessage[] {
  return useSyncExternalStore(subscribe, () => toastStore.getSnapshot().context.messages);
}

// Helpers

function subscribe(watcher: () => void): () => void {
  const subscription = toastStore.subscribe(watcher);
  return () => subscription.unsubscribe();
}
