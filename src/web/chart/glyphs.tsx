import type { ReactElement } from 'react';
import type { Point } from '../../http/console/contract/charts.ts';

/**
 * Glyphs drawn as paths, because fonts differ in the symbols they contain. Each is centred on its
 * point and 12 px wide.
 */

export function Clock({ x, y }: Point): ReactElement {
  return (
    <g className="chart-glyph">
      <circle cx={x} cy={y} r={5.5} />
      <path d={`M${x} ${y - 3}V${y}L${x + 2.2} ${y + 1.6}`} />
    </g>
  );
}

/** Infinity: an eventless transition, taken as soon as its guard holds. */
export function Always({ x, y }: Point): ReactElement {
  return (
    <path
      className="chart-glyph"
      d={`M${x} ${y}C${x - 2} ${y - 3.6} ${x - 6} ${y - 3.6} ${x - 6} ${y}S${x - 2} ${y + 3.6} ${x} ${y}S${x + 6} ${y - 3.6} ${x + 6} ${y}S${x + 2} ${y + 3.6} ${x} ${y}`}
    />
  );
}

/** Order among transitions of one event: the first whose guard holds is taken. */
export function Order({ x, y, order }: Point & { readonly order: number }): ReactElement {
  return (
    <g className="chart-order">
      <circle cx={x} cy={y} r={6.5} />
      <text x={x} y={y + 4.2} textAnchor="middle">
        {order}
      </text>
    </g>
  );
}

export function Warning({ x, y }: Point): ReactElement {
  return (
    <path
      className="chart-warning"
      d={`M${x} ${y - 5.5}L${x + 6} ${y + 5}H${x - 6}ZM${x} ${y - 1.8}V${y + 1.4}M${x} ${y + 3.1}V${y + 3.4}`}
    />
  );
}
