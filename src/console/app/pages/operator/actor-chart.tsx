import type { PastMoment } from '../../../contract/actors.ts';
import { useCharts, useLayout } from '../../api/operator.ts';
import { ChartFigure } from '../../chart/index.ts';
import { useSetQuery } from '../../routing/router.ts';
import { Await } from '../../ui/await.tsx';
import { useChartForm, usePicked } from './chart.tsx';
import { TransitionFacts } from './transition-card.tsx';

interface ActorChartProps {
  readonly kind: string;
  readonly moment: PastMoment | undefined;
}

/** The chart of an actor, highlighted as of the selected step. */
export function ActorChart({ kind, moment }: ActorChartProps) {
  const charts = useCharts();
  const layout = useLayout(kind);
  const form = useChartForm();
  const selected = usePicked();
  const setQuery = useSetQuery();
  const chart = charts.data?.find((one) => one.kind === kind);
  const picked = selected !== null && 'transition' in selected ? selected.transition : null;
  const transition = chart?.transitions.find(({ id }) => id === picked);
  if (charts.data !== undefined && chart === undefined) return <p className="soft">Its chart is not drawn here.</p>;
  return (
    <Await query={layout} label="Fetching the chart" lines={10}>
      {(drawn) =>
        chart === undefined ? null : (
          <>
            <ChartFigure
              form={form}
              chart={chart}
              layout={drawn}
              moment={moment}
              selected={selected}
              onSelectState={(pick) => setQuery({ pick, transition: undefined }, { replaces: true })}
              onSelectTransition={(id) =>
                setQuery({ transition: id === picked ? undefined : id, pick: undefined }, { replaces: true })
              }
            />
            {transition === undefined ? null : <TransitionFacts transition={transition} />}
          </>
        )
      }
    </Await>
  );
}
