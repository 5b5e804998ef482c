import './chart.css';
import { type ReactElement, useMemo } from 'react';
import { foldedChart } from '../../http/console/text-measurement/index.ts';
import { Chart } from './chart.tsx';
import { ChartList } from './chart-list.tsx';
import { foldedStep } from './folded-step.ts';
import type { DrawnChartData } from './types.ts';

/** How to show a chart; `auto` is the picture where it fits, otherwise the list. */
export type ChartForm = 'auto' | 'picture' | 'list';

interface ChartFigureProps extends DrawnChartData {
  readonly form: ChartForm;
  /**
   * One arrow per pair of states, without events and guards. The layout must be of the same kind.
   */
  readonly isFolded?: boolean;
}

/** A chart in the given form. The form is part of the page's URL, so it is not stored here. */
export function ChartFigure({ form, isFolded = false, ...given }: ChartFigureProps): ReactElement {
  const { chart, stepDetail } = given;
  const folded = useMemo(
    () => (isFolded ? { chart: foldedChart(chart), stepDetail: foldedStep(stepDetail, chart) } : { chart, stepDetail }),
    [isFolded, chart, stepDetail],
  );
  const props = { ...given, ...folded };
  return (
    <div className={`chart-figure is-${form}`}>
      {form === 'list' ? null : <Chart {...props} />}
      {form === 'picture' ? null : <ChartList {...props} />}
    </div>
  );
}

/** What the colours and numbers over the chart of a population mean. */
export function ChartLegend(): ReactElement {
  return (
    <p className="chart-legend">
      <span>Time in state (p95) relative to the limit:</span>
      {LEVELS.map(({ heat, words }) => (
        <span key={heat} className={`chart-tag is-heat-${heat}`}>
          {words}
        </span>
      ))}
      <span>⚠ actors over it</span>
    </p>
  );
}

// Helpers

const LEVELS = [
  { heat: 1, words: 'from 50%' },
  { heat: 2, words: 'from 75%' },
  { heat: 3, words: 'beyond' },
] as const;
