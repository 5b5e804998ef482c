import type { ReactElement } from 'react';
import { ChartDrawing } from './drawing.tsx';
import { chartWords } from './labels.ts';
import type { DrawnChartData } from './types.ts';

/** A chart as a standalone SVG file, light or dark as the reader's system is. */
export function ChartPicture({ css, ...props }: DrawnChartData & { readonly css: string }): ReactElement {
  const { width, height } = props.layout;
  return (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      className="chart-picture chart-canvas"
      aria-label={chartWords(props.chart)}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
    >
      <style>{css}</style>
      <rect className="chart-paper" width={width} height={height} />
      <ChartDrawing {...props} />
    </svg>
  );
}
