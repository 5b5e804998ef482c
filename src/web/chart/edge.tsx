import type { ReactElement } from 'react';
import type { Point } from '../../http/console/contract/charts.ts';
import type { ChartOverlay } from './chart-overlay.ts';
import { arrowWords } from './labels.ts';
import { pickedBy } from './picked-by.ts';
import type { DrawnChartData } from './types.ts';

const CORNER_RADIUS = 6;
const ARROW_LENGTH = 8;

/** A right-angled line with rounded corners and an arrowhead. */
export function Edge({
  points,
  hasArrow,
  className,
  id,
}: {
  readonly points: readonly Point[];
  readonly hasArrow: boolean;
  readonly className: string;
  readonly id?: string;
}): ReactElement {
  return (
    <g className={className} data-edge={id}>
      <path className="chart-line" d={svgPathOf(points)} />
      {hasArrow ? <path className="chart-arrow" d={arrowOf(points)} /> : null}
    </g>
  );
}

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

// Helpers

function svgPathOf(points: readonly Point[]): string {
  return points
    .map((point, position) => {
      const [before, after] = [points[position - 1], points[position + 1]];
      if (before === undefined) return `M${point.x} ${point.y}`;
      if (after === undefined) return `L${point.x} ${point.y}`;
      const radius = Math.min(CORNER_RADIUS, distance(before, point) / 2, distance(point, after) / 2);
      const [start, end] = [towards(point, before, radius), towards(point, after, radius)];
      return `L${start.x} ${start.y}Q${point.x} ${point.y} ${end.x} ${end.y}`;
    })
    .join('');
}

function arrowOf(points: readonly Point[]): string {
  const [tip, before] = [points.at(-1), points.at(-2)];
  if (tip === undefined || before === undefined) return '';
  const base = towards(tip, before, ARROW_LENGTH);
  const [x, y] = [((tip.y - base.y) / 2) * 0.9, ((base.x - tip.x) / 2) * 0.9];
  return `M${tip.x} ${tip.y}L${tenths(base.x + x)} ${tenths(base.y + y)}L${tenths(base.x - x)} ${tenths(base.y - y)}Z`;
}

function towards(from: Point, to: Point, length: number): Point {
  const whole = distance(from, to);
  if (whole === 0) return from;
  const share = length / whole;
  return { x: tenths(from.x + (to.x - from.x) * share), y: tenths(from.y + (to.y - from.y) * share) };
}

function distance(one: Point, other: Point): number {
  return Math.hypot(one.x - other.x, one.y - other.y);
}

function tenths(length: number): number {
  return Math.round(length * 10) / 10;
}
