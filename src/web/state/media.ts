import { useSyncExternalStore } from 'react';

/** Where charts are lists and everything is in one column; as wide as `actor.css` says. */
const PHONE = matchMedia('(max-width: 44rem)');

/**
 * Whether the screen is a phone's. For orders that CSS cannot change without misleading the focus.
 */
export function useIsPhone(): boolean {
  return useSyncExternalStore(watchPhone, isPhone);
}

// Helpers

function watchPhone(changed: () => void): () => void {
  PHONE.addEventListener('change', changed);
  return () => PHONE.removeEventListener('change', changed);
}

function isPhone(): boolean {
  return PHONE.matches;
}
