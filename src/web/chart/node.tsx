import type { KeyboardEvent, ReactElement, ReactNode } from 'react';
import type { Box } from '../../http/console/contract/charts.ts';

/**
 * A node that can be focused and selected. Tab moves between states; arrow keys reach the events
 * from there, so that fifty events are not fifty tab stops.
 *
 * The visible content is hidden from screen readers, because counts and glyphs make no sense read
 * in sequence. A transparent overlay takes focus and pointer, and its label contains everything as
 * text.
 */
export function ChartNode({
  name,
  className,
  box,
  label,
  hint,
  isTabStop,
  isSelected,
  onSelect,
  children,
}: {
  /** `state:` or `event:` with path or id; also finds the node. */
  readonly name: string;
  readonly className: string;
  readonly box: Box;
  readonly label: string;
  /** Tooltip. */
  readonly hint: string;
  readonly isTabStop: boolean;
  readonly isSelected: boolean;
  readonly onSelect: (() => void) | undefined;
  readonly children: ReactNode;
}): ReactElement {
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    onSelect?.();
  };
  const asButton = { role: 'button', 'aria-pressed': isSelected, onClick: onSelect, onKeyDown };
  return (
    <g data-node={name} className={`chart-node ${className}${isSelected ? ' is-selected' : ''}`}>
      <g aria-hidden>{children}</g>
      <rect
        className="chart-glass"
        x={box.x}
        y={box.y}
        width={box.width}
        height={box.height}
        aria-label={label}
        tabIndex={isTabStop ? 0 : -1}
        {...(onSelect === undefined ? { role: 'graphics-symbol' } : asButton)}
      >
        <title>{hint}</title>
      </rect>
    </g>
  );
}
