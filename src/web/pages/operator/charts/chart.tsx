import '../../../styles/actor.css';
import type { ReactNode } from 'react';
import type { ChartLayout, FoldableChart, Population } from '../../../../http/console/contract/charts.ts';
import type { Throughput } from '../../../../http/console/operator/chart-activity-schemas.ts';
import { useThroughput } from '../../../api/chart-activity.ts';
import { useCharts, useLayout, usePopulation } from '../../../api/operator.ts';
import { ChartFigure, ChartLegend } from '../../../chart/chart-figure.tsx';
import { roomFor } from '../../../chart/view.ts';
import { Link } from '../../../routing/link.tsx';
import { hrefOf } from '../../../routing/paths.ts';
import { navigate, useSearchParams, useSetSearchParams } from '../../../routing/router.ts';
import { Page } from '../../../shell/page.tsx';
import { Await } from '../../../ui/await.tsx';
import { Card } from '../../../ui/card.tsx';
import { EmptyState } from '../../../ui/lists/empty-state.tsx';
import { capitalized } from '../../../ui/values/word-text.ts';
import { TransitionCard } from '../actor/transition-card.tsx';
import { FormSwitch, Segments, useChartDetail, useChartForm, usePicked } from './chart-form.tsx';
import { ChartVersions } from './chart-versions.tsx';
import { PopulationCard } from './population-table.tsx';
import { SPANS, ThroughputCard, useSpan } from './throughput.tsx';

/** All actors of one kind on their chart: how many rest in each state and for how long. */
export function ChartPage({ kind, mayAct }: { readonly kind: string; readonly mayAct: boolean }) {
  const charts = useCharts();
  const layout = useLayout(kind, useChartDetail());
  const population = usePopulation(kind);
  const span = useSpan();
  const throughput = useThroughput(kind, span);
  const chart = charts.data?.find((one) => one.kind === kind);
  return (
    <Page
      title={chart === undefined ? 'Chart' : capitalized(chart.kind)}
      heading={<ChartTabs charts={charts.data ?? []} kind={kind} />}
      actions={<FormSwitch />}
      about={chart?.description || undefined}
    >
      <Await query={charts} label="Loading the chart" lines={12}>
        {() =>
          chart === undefined ? (
            <EmptyState title={`No chart named ${kind}`}>
              <Link href={hrefOf('charts', {})}>View all charts</Link>
            </EmptyState>
          ) : (
            <Await query={layout} label="Loading the layout" lines={12}>
              {(drawn) => (
                <Drawn
                  chart={chart}
                  layout={drawn}
                  population={population.data}
                  throughput={span === null ? undefined : throughput.data}
                >
                  <Await query={population} label="Loading actors" lines={6}>
                    {(counted) => <PopulationCard population={counted} />}
                  </Await>
                  {span === null ? null : (
                    <Await query={throughput} label="Loading state changes" lines={6}>
                      {(counted) => <ThroughputCard throughput={counted} />}
                    </Await>
                  )}
                  <ChartVersions key={kind} kind={kind} mayAct={mayAct} />
                </Drawn>
              )}
            </Await>
          )
        }
      </Await>
    </Page>
  );
}

// Helpers

interface DrawnProps {
  readonly chart: FoldableChart;
  readonly layout: ChartLayout;
  readonly population: Population | undefined;
  readonly throughput: Throughput | undefined;
  /** Beside the chart where both are readable there, otherwise below it. */
  readonly children: ReactNode;
}

function Drawn({ chart, layout, population, throughput, children }: DrawnProps) {
  const form = useChartForm();
  const isFolded = useChartDetail() === 'states';
  const selected = usePicked();
  const setQuery = useSetSearchParams();
  const picked = selected !== null && 'transition' in selected ? selected.transition : null;
  return (
    <>
      <div className="chart-beside">
        <div className="chart-area" style={{ flexBasis: roomFor(layout, isFolded) }}>
          <Card className="chart-card">
            <ChartFigure
              form={form}
              isFolded={isFolded}
              chart={chart}
              layout={layout}
              population={population}
              throughput={throughput}
              selected={selected}
              onSelectState={(state) => navigate(hrefOf('actors', {}, { kind: chart.kind, state }))}
              onSelectTransition={(id) => setQuery({ transition: id === picked ? undefined : id }, { replaces: true })}
            />
            <ChartLegend />
            <SpanSwitch />
          </Card>
        </div>
        <div className="chart-tables">{children}</div>
      </div>
      <TransitionCard chart={chart} picked={picked} />
    </>
  );
}

/** Counts state changes on the arrows; these are part of the overview alone. */
function SpanSwitch() {
  const span = useSpan() ?? 'none';
  const setQuery = useSetSearchParams();
  return (
    <Segments
      legend="State changes"
      name="chart-span"
      options={SPANS}
      chosen={span}
      choose={(value) => setQuery({ span: value === 'none' ? undefined : value }, { replaces: true })}
    />
  );
}

function ChartTabs({ charts, kind }: { readonly charts: readonly FoldableChart[]; readonly kind: string }) {
  const query = useSearchParams();
  const [form, detail] = [query.get('form') ?? undefined, query.get('detail') ?? undefined];
  return (
    <>
      <h1 className="unseen">{capitalized(kind)}</h1>
      <nav className="chart-tabs" aria-label="Charts">
        {charts.map((chart) => (
          <Link
            key={chart.kind}
            className="tab"
            aria-current={chart.kind === kind ? 'page' : undefined}
            href={hrefOf('chart', { kind: chart.kind }, { form, detail })}
          >
            {capitalized(chart.kind)}
          </Link>
        ))}
      </nav>
    </>
  );
}
