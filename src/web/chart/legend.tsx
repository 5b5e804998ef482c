import type { ReactElement } from 'react';

/** What the colours and numbers over the chart of a population mean. */
export function ChartLegend(): ReactElement {
  return (
    <p className="chart-legend">
      <span>Time in state (p95) against the limit:</span>
      {LEVELS.map(({ heat, words }) => (
        <span key={heat} className={`chart-tag is-heat-${heat}`}>
          {words}
        </span>
      ))}
      <span>⚠ actors beyond it</span>
    </p>
  );
}

// Helpers

const LEVELS = [
  { heat: 1, words: 'from 50 %' },
  { heat: 2, words: 'from 75 %' },
  { heat: 3, words: 'beyond' },
] as const;
