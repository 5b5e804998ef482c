import type { ReactElement } from 'react';
import { Chart } from './chart.tsx';
import { ChartList } from './chart-list.tsx';
import type { DrawnChartData } from './types.ts';

/** How to show a chart; `auto` is the picture where it fits, otherwise the list. */
export type ChartForm = 'auto' | 'picture' | 'list';

/** A chart in the given form. The form is part of the page's URL, so it is not stored here. */
export function ChartFigure({ form, ...props }: DrawnChartData & { readonly form: ChartForm }): ReactElement {
  return (
    <div className={`chart-figure is-${form}`}>
      {form === 'list' ? null : <Chart {...props} />}
      {form === 'picture' ? null : <ChartList {...props} />}
    </div>
  );
}
