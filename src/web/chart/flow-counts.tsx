import type { ReactElement } from 'react';
import { type ChartOverlay, shortCount } from './chart-overlay.ts';
import { positionFlows } from './flow-positions.ts';
import type { DrawnChartData } from './types.ts';

/** How many state changes each arrow stands for, on it or beside it. */
export function FlowCounts({
  chart,
  layout,
  overlay,
}: DrawnChartData & { readonly overlay: ChartOverlay }): ReactElement {
  const flows = layout.edges.flatMap(({ id, transitionId, points }) => {
    const flow = overlay.flow(transitionId);
    if (flow === 0) return [];
    const text = shortCount(flow);
    return [{ id, text, points, size: { width: text.length * DIGIT_WIDTH + 10, height: 16 } }];
  });
  const positions = positionFlows(flows, chart, layout);
  return (
    <g className="chart-flows" aria-hidden="true">
      {flows.map(({ id, text, size: { width, height } }) => {
        const position = positions.get(id);
        if (position === undefined) return null;
        const { x, y } = position;
        return (
          <g key={id} className="chart-pill chart-flow">
            <rect x={x - width / 2} y={y - height / 2} width={width} height={height} rx={height / 2} />
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

/** Width in px of a badge's digits, at a font size of 12 px. */
const DIGIT_WIDTH = 7.8;
