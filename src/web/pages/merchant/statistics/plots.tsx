import { Suspense, useMemo } from 'react';
import type { Statistics, StatisticsInterval } from '../../../../http/console/merchant/statistics/schemas.ts';
import { Card } from '../../../ui/card.tsx';
import { lazyComponent } from '../../../ui/lazy-component.ts';
import { Loading } from '../../../ui/progress.tsx';
import { amountsText, paymentsText, shortStepText, soleCurrency, stepText, volumeIn } from './labels.ts';
import type { PlotLine, PlotProps } from './plot.tsx';

// The plotting library is loaded only when a plot is shown.
const Plot = lazyComponent(() => import('./plot.tsx'), 'Plot');

interface PlotsProps extends Pick<Statistics, 'totals' | 'series'> {
  readonly interval: StatisticsInterval;
}

/** Volume and number of payments over time. */
export function Plots({ totals, series, interval }: PlotsProps) {
  const stepLabels = useMemo(() => series.map(({ startsAt }) => shortStepText(startsAt, interval)), [series, interval]);
  const currency = soleCurrency(totals);
  const volume = useMemo<readonly PlotLine[]>(
    () => [
      {
        name: `Paid, in ${currency ?? 'US dollars'}`,
        ink: 'accent',
        shape: 'bars',
        // The drawing needs no cents.
        values: series.map((step) => volumeIn(step, currency)),
      },
    ],
    [series, currency],
  );
  const counts = useMemo<readonly PlotLine[]>(
    () => [
      { name: 'Created', ink: 'info', shape: 'dashes', values: series.map(({ created }) => created) },
      { name: 'Of these, paid by now', ink: 'accent', shape: 'line', values: series.map(({ completed }) => completed) },
    ],
    [series],
  );
  const describePoint = (words: (step: Statistics['series'][number]) => string) => (position: number) => {
    const step = series[position];
    return step === undefined ? '' : `${stepText(step.startsAt, interval)}: ${words(step)}`;
  };
  return (
    <>
      <PlotCard
        title="Volume"
        label="Volume over time"
        lines={volume}
        stepLabels={stepLabels}
        describe={describePoint(({ volumes, completed }) => `${amountsText(volumes)} in ${paymentsText(completed)}`)}
      />
      <PlotCard
        title="Payments"
        label="Payments over time"
        lines={counts}
        stepLabels={stepLabels}
        describe={describePoint(
          ({ created, completed }) =>
            `${paymentsText(created)} created, ${completed.toLocaleString('en')} of these paid`,
        )}
      />
    </>
  );
}

// Helpers

function PlotCard({ title, ...plot }: PlotProps & { readonly title: string }) {
  return (
    <Card title={title} className="plot-card" actions={<Legend lines={plot.lines} />}>
      <div className="plot-room">
        <Suspense fallback={<Loading label="Loading the plot" lines={6} />}>
          <Plot {...plot} />
        </Suspense>
      </div>
    </Card>
  );
}

function Legend({ lines }: Pick<PlotProps, 'lines'>) {
  return (
    <ul className="plot-legend">
      {lines.map(({ name, ink, shape }) => (
        <li key={name}>
          <span className={`plot-sign plot-sign-${shape} plot-ink-${ink}`} aria-hidden="true" />
          {name}
        </li>
      ))}
    </ul>
  );
}
