import type { ReactElement } from 'react';
import type { ChartOverlay } from './chart-overlay.ts';
import { arrowWords } from './labels.ts';
import { pickedBy } from './picked-by.ts';
import type { DrawnChartData } from './types.ts';

/**
 * Wide, invisible lines over the arrows of a folded chart: a tooltip names the events, a click
 * selects the arrow. With a keyboard the list has the same.
 */
export function Arrows({
  chart,
  layout,
  overlay,
  selected,
  onSelectTransition,
}: DrawnChartData & { readonly overlay: ChartOverlay }): ReactElement {
  return (
    <g className="chart-arrows">
      {layout.edges.map(({ id, transitionId, points }) => {
        const transition = chart.transitions.find((each) => each.id === transitionId);
        if (transition === undefined) return null;
        const words = arrowWords(transition, overlay);
        const asButton = {
          role: 'button',
          tabIndex: -1,
          'aria-pressed': pickedBy(selected, 'transition', transitionId),
          onClick: () => onSelectTransition?.(transitionId),
        };
        return (
          <polyline
            key={id}
            className="chart-arrow-touch"
            data-arrow={transitionId}
            points={points.map(({ x, y }) => `${x},${y}`).join(' ')}
            aria-label={words}
            {...(onSelectTransition === undefined ? { role: 'graphics-symbol' } : asButton)}
          >
            <title>{words}</title>
          </polyline>
        );
      })}
    </g>
  );
}
