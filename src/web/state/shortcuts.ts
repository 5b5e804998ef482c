import { useEffect, useRef, useSyncExternalStore } from 'react';
import { preferenceStore, usePreference } from './preferences.ts';

/** A key, or a sequence of two like `g a`. */
export interface Shortcut {
  readonly keys: string;
  readonly label: string;
}

interface Registered extends Shortcut {
  run(): void;
}

/** Time limit for the second key of a sequence. */
const SEQUENCE_MS = 1_200;

let registered: readonly Registered[] = [];
const watchers = new Set<() => void>();
let before = { key: '', at: 0 };

globalThis.addEventListener('keydown', onKey);

/** Registers a shortcut while the component is mounted. The latest registration of a key wins. */
export function useShortcut(keys: string, label: string, run: () => void): void {
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  });
  useEffect(() => {
    const shortcut = { keys, label, run: () => latest.current() };
    setRegistered([...registered, shortcut]);
    return () => setRegistered(registered.filter((other) => other !== shortcut));
  }, [keys, label]);
}

/** The active shortcuts, for the help. */
export function useShortcutList(): readonly Shortcut[] {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => registered,
  );
}

/** The `aria-keyshortcuts` of a button that has a shortcut. */
export function useAriaKeys(keys: string): string | undefined {
  return usePreference('hasShortcuts') && !keys.includes(' ') ? keys : undefined;
}

// Helpers

function onKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (!preferenceStore.getSnapshot().context.hasShortcuts || isTyping(event.target) || isDialogOpen()) return;
  const sequence = event.timeStamp - before.at < SEQUENCE_MS ? `${before.key} ${event.key}` : '';
  const found = findLast(sequence) ?? findLast(event.key);
  before = { key: event.key, at: event.timeStamp };
  if (found === undefined) return;
  before = { key: '', at: 0 };
  event.preventDefault();
  found.run();
}

function findLast(keys: string): Registered | undefined {
  return registered.findLast((shortcut) => shortcut.keys === keys);
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.closest('input:not([type="range"], [type="checkbox"]), textarea, select, [contenteditable]') !== null
  );
}

function isDialogOpen(): boolean {
  return document.querySelector('[role="dialog"]') !== null;
}

function setRegistered(next: readonly Registered[]): void {
  registered = next;
  for (const watcher of watchers) watcher();
}
