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

/** A section of a page. */
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

/** A list of names and values. */
export function Facts({ facts }: { readonly facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
