import { type ReactNode, useId, useState } from 'react';
import { Link } from '../../routing/link.tsx';
import { Button } from '../button.tsx';

interface FiltersProps {
  readonly label: string;
  readonly className?: string;
  /** A search field, which phones show at all times. */
  readonly search?: ReactNode;
  /** How many filters are set, besides the search. */
  readonly count: number;
  /** The list without filters; null when nothing is filtered. */
  readonly clearHref: string | null;
  readonly children: ReactNode;
}

/**
 * The filters of a list. Phones show them when a button is pressed, so that the list comes first.
 */
export function Filters({ label, className = '', search, count, clearHref, children }: FiltersProps) {
  const [isOpen, setIsOpen] = useState(false);
  const id = useId();
  return (
    <search className={`filters ${className}`} aria-label={label}>
      {search}
      <Button
        className="filters-toggle"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setIsOpen((before) => !before)}
      >
        {count === 0 ? 'Filters' : `Filters (${count})`}
      </Button>
      <div id={id} className={isOpen ? 'filters-fields' : 'filters-fields is-folded'}>
        {children}
      </div>
      {clearHref === null ? null : (
        <p className="filters-more">
          <Link href={clearHref}>Clear the filters</Link>
        </p>
      )}
    </search>
  );
}
