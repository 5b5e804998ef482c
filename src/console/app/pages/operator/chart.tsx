import type { ChartInfo, ChartLayout, Population } from '../../../contract/charts.ts';
import { useCharts, useLayout, usePopulation } from '../../api/operator.ts';
import { ChartFigure, type ChartForm, type ChartSelection } from '../../chart/index.ts';
import { Link } from '../../routing/link.tsx';
import { hrefOf } from '../../routing/paths.ts';
import { navigate, useQuery, useSetQuery } from '../../routing/router.ts';
import { Page } from '../../shell/page.tsx';
import { Await } from '../../ui/await.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Moment } from '../../ui/moment.tsx';
import { PopulationTable } from './population-table.tsx';
import { TransitionCard } from './transition-card.tsx';

/** All actors of one kind on their chart: how many rest in each state and for how long. */
export function ChartPage({ kind }: { readonly kind: string }) {
  const charts = useCharts();
  const layout = useLayout(kind);
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
              {(drawn) => <Drawn chart={chart} layout={drawn} population={population.data} />}
            </Await>
          )
        }
      </Await>
      <Await query={population} label="Counting the actors" lines={6}>
        {(counted) => (
          <Card className="card-flush">
            <PopulationTable population={counted} />
            <p className="table-foot">
              <span>
                Counted <Moment at={counted.at} />
              </span>
              <span>{actorsText(counted.leaves.reduce((sum, leaf) => sum + leaf.count, 0))}</span>
            </p>
          </Card>
        )}
      </Await>
    </Page>
  );
}

/** The form in which charts are shown, from the URL. */
export function useChartForm(): ChartForm {
  const form = useQuery().get('form');
  return form === 'picture' || form === 'list' ? form : 'auto';
}

/** Picture, list, or whichever fits. */
export function FormSwitch() {
  const form = useChartForm();
  const setQuery = useSetQuery();
  return (
    <fieldset className="segments">
      <legend className="unseen">Form of the chart</legend>
      {(['auto', 'picture', 'list'] as const).map((value) => (
        <label key={value} className="segment">
          <input
            type="radio"
            name="chart-form"
            checked={form === value}
            onChange={() => setQuery({ form: value === 'auto' ? undefined : value }, { replaces: true })}
          />
          <span>{titled(value)}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** The selected part of a chart, from the URL. */
export function usePicked(): ChartSelection | null {
  const query = useQuery();
  const [state, transition] = [query.get('pick'), query.get('transition')];
  if (transition !== null) return { transition };
  return state === null ? null : { state };
}

// Helpers

interface DrawnProps {
  readonly chart: ChartInfo;
  readonly layout: ChartLayout;
  readonly population: Population | undefined;
}

function Drawn({ chart, layout, population }: DrawnProps) {
  const form = useChartForm();
  const selected = usePicked();
  const setQuery = useSetQuery();
  const picked = selected !== null && 'transition' in selected ? selected.transition : null;
  const transition = chart.transitions.find(({ id }) => id === picked);
  return (
    <>
      <Card className="chart-card">
        <ChartFigure
          form={form}
          chart={chart}
          layout={layout}
          population={population}
          selected={selected}
          onSelectState={(state) => navigate(hrefOf('actors', {}, { kind: chart.kind, state }))}
          onSelectTransition={(id) => setQuery({ transition: id === picked ? undefined : id }, { replaces: true })}
        />
      </Card>
      {transition === undefined ? null : <TransitionCard transition={transition} />}
    </>
  );
}

function ChartTabs({ charts, kind }: { readonly charts: readonly ChartInfo[]; readonly kind: string }) {
  const form = useQuery().get('form') ?? undefined;
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
            href={hrefOf('chart', { kind: chart.kind }, { form })}
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

function actorsText(count: number): string {
  return `${count.toLocaleString('en')} ${count === 1 ? 'actor' : 'actors'}`;
}
