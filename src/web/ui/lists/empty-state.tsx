import type { ReactNode } from 'react';

interface EmptyStateProps {
  readonly title: string;
  readonly children?: ReactNode;
  /** The next step: the one main button of the page while the list is empty. */
  readonly action?: ReactNode;
}

/** Placeholder for an empty list: why it is empty, and what to do about it. */
export function EmptyState({ title, children, action }: EmptyStateProps) {
  return (
    <div className="empty">
      <p className="empty-title">{title}</p>
      {children === undefined ? null : <div className="empty-text">{children}</div>}
      {action === undefined ? null : <div className="empty-action">{action}</div>}
    </div>
  );
}
