import type { ReactNode } from 'react';

interface CardProps {
  readonly title?: ReactNode;
  /** Actions, at the right of the title. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  readonly className?: string;
  /** Target of links within the page. */
  readonly id?: string;
}

export function Card({ title, actions, children, className = '', id }: CardProps) {
  return (
    <section id={id} className={`card ${className}`}>
      {title === undefined ? null : (
        <div className="card-head">
          <h2>{title}</h2>
          {actions}
        </div>
      )}
      {children}
    </section>
  );
}

/** Null is omitted. */
export type Detail = readonly [name: string, value: ReactNode] | null;

/** A list of names and values. */
export function DetailList({ items }: { readonly items: readonly Detail[] }) {
  return (
    <dl className="detail-list">
      {items.map((item) =>
        item === null ? null : (
          <div key={item[0]}>
            <dt>{item[0]}</dt>
            <dd>{item[1]}</dd>
          </div>
        ),
      )}
    </dl>
  );
}
