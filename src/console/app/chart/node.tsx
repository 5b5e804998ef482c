import type { KeyboardEvent, ReactElement, ReactNode } from 'react';
import type { Box } from '../../contract/charts.ts';

/**
 * Something in the chart that can be reached by keyboard and picked. Tab goes from state to state; events are reached from
 * there by the arrow keys, so that a chart of fifty events is not fifty stops long.
 *
 * What is seen is hidden from screen readers: counts and signs make no sense in a row. A sheet of glass over it takes the
 * focus and the pointer, and its label says all of it in words.
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
  /** `state:` or `event:` with path or id; found again by it. */
  readonly name: string;
  readonly className: string;
  readonly box: Box;
  readonly label: string;
  /** What the pointer shows when it rests there. */
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
