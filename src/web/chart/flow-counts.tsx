import type { ReactElement } from 'react';
import type { Point } from '../../http/console/contract/charts.ts';
import { type ChartOverlay, shortCount } from './chart-overlay.ts';
import type { DrawnChartData } from './types.ts';

/** How many state changes each arrow stands for, on the longest straight part of each arrow. */
export function FlowCounts({ layout, overlay }: DrawnChartData & { readonly overlay: ChartOverlay }): ReactElement {
  return (
    <g className="chart-flows" aria-hidden="true">
      {layout.edges.map(({ id, transitionId, points }) => {
        const flow = overlay.flow(transitionId);
        if (flow === 0) return null;
        const { x, y } = middleOf(points);
        const text = shortCount(flow);
        const width = text.length * DIGIT_WIDTH + 10;
        return (
          <g key={id} className="chart-pill chart-flow">
            <rect x={x - width / 2} y={y - 8} width={width} height={16} rx={8} />
            <text x={x} y={y + 4} textAnchor="middle" className="chart-badge">
              {text}
            </text>
          </g>
        );
      })}
    </g>
  );
}

// Helpers

/** Of the 12 px digits of badges. */
const DIGIT_WIDTH = 7.8;

function middleOf(points: readonly Point[]): Point {
  let [longest, middle] = [-1, { x: 0, y: 0 }];
  for (const [place, end] of points.entries()) {
    const begin = points[place - 1];
    if (begin === undefined) continue;
    const length = Math.hypot(end.x - begin.x, end.y - begin.y);
    if (length > longest) [longest, middle] = [length, { x: (begin.x + end.x) / 2, y: (begin.y + end.y) / 2 }];
  }
  return middle;
}
