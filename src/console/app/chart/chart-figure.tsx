import type { ReactElement } from 'react';
import { Chart } from './chart.tsx';
import { ChartList } from './chart-list.tsx';
import type { DrawnChartData } from './types.ts';

/** How a reader wants a chart; `auto` is the picture where there is room for it, the list elsewhere. */
export type ChartForm = 'auto' | 'picture' | 'list';

/** A chart in the form asked for. The form is part of the page's address, so it is not kept here. */
export function ChartFigure({ form, ...props }: DrawnChartData & { readonly form: ChartForm }): ReactElement {
  return (
    <div className={`chart-figure is-${form}`}>
      {form === 'list' ? null : <Chart {...props} />}
      {form === 'picture' ? null : <ChartList {...props} />}
    </div>
  );
}
