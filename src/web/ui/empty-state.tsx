import type { ReactNode } from 'react';

interface EmptyStateProps {
  readonly title: string;
  readonly children?: ReactNode;
}

/** Placeholder for an empty list: why it is empty, and what to do about it. */
export function EmptyState({ title, children }: EmptyStateProps) {
  return (
    <div className="empty">
      <p className="empty-title">{title}</p>
      {children === undefined ? null : <div className="empty-text">{children}</div>}
    </div>
  );
}
