import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react';

export interface Tab {
  readonly id: string;
  readonly label: ReactNode;
  readonly content: ReactNode;
}

interface TabsProps {
  readonly label: string;
  readonly tabs: readonly Tab[];
  /** Id of the visible panel. */
  readonly shown: string;
  show(id: string): void;
}

/**
 * Tabs. The visible one belongs in the URL, so the caller controls it. With the keyboard, the list
 * is one stop, and arrow keys, Home and End show another tab (WAI-ARIA Authoring Practices, tabs
 * with automatic activation).
 */
export function Tabs({ label, tabs, shown, show }: TabsProps) {
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const index = Math.max(
    tabs.findIndex((tab) => tab.id === shown),
    0,
  );
  const current = tabs[index];
  const move = (event: KeyboardEvent) => {
    const next = indexAfter(event.key, index, tabs.length);
    const tab = tabs[next];
    if (tab === undefined) return;
    event.preventDefault();
    show(tab.id);
    list.current?.querySelectorAll<HTMLElement>('[role="tab"]')[next]?.focus();
  };
  return (
    <div className="tabs">
      <div ref={list} className="tab-list" role="tablist" aria-label={label}>
        {tabs.map((tab) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${id}-${tab.id}`}
            className="tab"
            aria-selected={tab === current}
            aria-controls={tab === current ? `${id}-panel` : undefined}
            tabIndex={tab === current ? 0 : -1}
            onClick={() => show(tab.id)}
            onKeyDown={move}
          >
            {tab.label}
          </button>
        ))}
      </div>
      {current === undefined ? null : (
        <div
          key={current.id}
          role="tabpanel"
          id={`${id}-panel`}
          className="tab-panel"
          aria-labelledby={`${id}-${current.id}`}
          tabIndex={0}
        >
          {current.content}
        </div>
      )}
    </div>
  );
}

// Helpers

/** The tab that a key shows; -1 for other keys. */
function indexAfter(key: string, index: number, count: number): number {
  switch (key) {
    case 'ArrowRight':
      return (index + 1) % count;
    case 'ArrowLeft':
      return (index + count - 1) % count;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return -1;
  }
}
