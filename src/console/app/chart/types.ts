import type { PastMoment } from '../../contract/actors.ts';
import type { ChartInfo, ChartLayout, Population } from '../../contract/charts.ts';

/** What of a chart the reader has picked out. */
export type ChartSelection = { readonly state: string } | { readonly transition: string };

/** How one actor got where it is; a `PastMoment` is one. */
export interface ChartMoment extends Pick<PastMoment, 'visited' | 'taken'> {
  readonly step: Pick<PastMoment['step'], 'state'>;
}

/** What is told about a chart beside the chart itself. */
export interface ChartData {
  readonly chart: ChartInfo;
  /** All actors that run it. Not shown together with a moment, which is about one of them. */
  readonly population?: Population | undefined;
  readonly moment?: ChartMoment | undefined;
  readonly selected?: ChartSelection | null | undefined;
  readonly onSelectState?: ((path: string) => void) | undefined;
  readonly onSelectTransition?: ((id: string) => void) | undefined;
}

export interface DrawnChartData extends ChartData {
  readonly layout: ChartLayout;
}
