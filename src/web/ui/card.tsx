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

/** Null is left out. */
export type Fact = readonly [name: string, value: ReactNode] | null;

/** A list of names and values. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl className="facts">
      {facts.map((fact) =>
        fact === null ? null : (
          <div key={fact[0]}>
            <dt>{fact[0]}</dt>
            <dd>{fact[1]}</dd>
          </div>
        ),
      )}
    </dl>
  );
}
