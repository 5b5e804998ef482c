import type { ChartLayout, FoldableChart, Population } from '../../http/console/contract/charts.ts';
import type { Throughput } from '../../http/console/operator/chart-activity-schemas.ts';
import type { StepDetail } from '../../http/console/operator/schemas.ts';

/** The selected part of a chart. */
export type ChartSelection = { readonly state: string } | { readonly transition: string };

/** The path of one actor up to a step; a `StepDetail` is one. */
export interface ChartStep extends Pick<StepDetail, 'visited' | 'taken'> {
  readonly step: Pick<StepDetail['step'], 'state'>;
}

/** A chart with its overlay and selection. */
export interface ChartData {
  readonly chart: FoldableChart;
  /** All actors that run it. Not combined with a step, which is about one of them. */
  readonly population?: Population | undefined;
  /** State changes in a period; only a folded chart shows them. */
  readonly throughput?: Throughput | undefined;
  readonly stepDetail?: ChartStep | undefined;
  readonly selected?: ChartSelection | null | undefined;
  readonly onSelectState?: ((path: string) => void) | undefined;
  readonly onSelectTransition?: ((id: string) => void) | undefined;
}

export interface DrawnChartData extends ChartData {
  readonly layout: ChartLayout;
}
