import type { ReactNode } from 'react';
import type { ChartInfo, ChartLayout, Population } from '../../../http/console/contract/charts.ts';
import { useCharts, useLayout, usePopulation } from '../../api/operator.ts';
import { ChartFigure, ChartLegend } from '../../chart/index.ts';
import { Link } from '../../routing/link.tsx';
import { hrefOf } from '../../routing/paths.ts';
import { navigate, useQuery, useSetQuery } from '../../routing/router.ts';
import { Page } from '../../shell/page.tsx';
import { Await } from '../../ui/await.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FormSwitch, useChartDetail, useChartForm, usePicked } from './chart-form.tsx';
import { PopulationCard } from './population-table.tsx';
import { TransitionCard } from './transition-card.tsx';

/** All actors of one kind on their chart: how many rest in each state and for how long. */
export function ChartPage({ kind }: { readonly kind: string }) {
  const charts = useCharts();
  const layout = useLayout(kind, useChartDetail());
  const population = usePopulation(kind);
  const chart = charts.data?.find((one) => one.kind === kind);
  return (
    <Page
      title={chart === undefined ? 'Chart' : titled(chart.kind)}
      heading={<ChartTabs charts={charts.data ?? []} kind={kind} />}
      actions={<FormSwitch />}
      about={chart?.description || undefined}
    >
      <Await query={charts} label="Fetching the chart" lines={12}>
        {() =>
          chart === undefined ? (
            <EmptyState title={`No chart is called ${kind}`}>
              <Link href={hrefOf('charts', {})}>Go to the charts there are</Link>
            </EmptyState>
          ) : (
            <Await query={layout} label="Fetching where everything is drawn" lines={12}>
              {(drawn) => (
                <Drawn chart={chart} layout={drawn} population={population.data}>
                  <Await query={population} label="Counting the actors" lines={6}>
                    {(counted) => <PopulationCard population={counted} />}
                  </Await>
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
  readonly chart: ChartInfo;
  readonly layout: ChartLayout;
  readonly population: Population | undefined;
  /** Beside the chart where both are readable there, otherwise below it. */
  readonly children: ReactNode;
}

function Drawn({ chart, layout, population, children }: DrawnProps) {
  const form = useChartForm();
  const isFolded = useChartDetail() === 'states';
  const selected = usePicked();
  const setQuery = useSetQuery();
  const picked = selected !== null && 'transition' in selected ? selected.transition : null;
  return (
    <>
      <div className="chart-beside">
        <div
          className="chart-place"
          style={{ flexBasis: isFolded ? layout.width * SMALLEST_SCALE + CARD_EDGES_PX : '100%' }}
        >
          <Card className="chart-card">
            <ChartFigure
              form={form}
              isFolded={isFolded}
              chart={chart}
              layout={layout}
              population={population}
              selected={selected}
              onSelectState={(state) => navigate(hrefOf('actors', {}, { kind: chart.kind, state }))}
              onSelectTransition={(id) => setQuery({ transition: id === picked ? undefined : id }, { replaces: true })}
            />
            <ChartLegend />
          </Card>
        </div>
        {children}
      </div>
      <TransitionCard chart={chart} picked={picked} />
    </>
  );
}

/** At which the smallest text of a chart, 12 px, has 11 px. */
const SMALLEST_SCALE = 11 / 12;
const CARD_EDGES_PX = 26;

function ChartTabs({ charts, kind }: { readonly charts: readonly ChartInfo[]; readonly kind: string }) {
  const query = useQuery();
  const [form, detail] = [query.get('form') ?? undefined, query.get('detail') ?? undefined];
  return (
    <>
      <h1 className="unseen">{titled(kind)}</h1>
      <nav className="chart-tabs" aria-label="Charts">
        {charts.map((chart) => (
          <Link
            key={chart.kind}
            className="tab"
            data-active={chart.kind === kind ? '' : undefined}
            aria-current={chart.kind === kind ? 'page' : undefined}
            href={hrefOf('chart', { kind: chart.kind }, { form, detail })}
          >
            {titled(chart.kind)}
          </Link>
        ))}
      </nav>
    </>
  );
}

function titled(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}
