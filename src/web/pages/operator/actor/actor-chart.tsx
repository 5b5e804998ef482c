import type { StepDetail } from '../../../../http/console/operator/schemas.ts';
import { useCharts, useLayout } from '../../../api/operator.ts';
import { ChartFigure } from '../../../chart/chart-figure.tsx';
import { useSetSearchParams } from '../../../routing/router.ts';
import { Await } from '../../../ui/await.tsx';
import { useChartDetail, useChartForm, usePicked } from '../charts/chart-form.tsx';
import { PickedTransition } from './transition-card.tsx';

interface ActorChartProps {
  readonly kind: string;
  readonly stepDetail: StepDetail | undefined;
}

/** The chart of an actor, highlighted as of the selected step. */
export function ActorChart({ kind, stepDetail }: ActorChartProps) {
  const charts = useCharts();
  const detail = useChartDetail();
  const layout = useLayout(kind, detail);
  const form = useChartForm();
  const selected = usePicked();
  const setQuery = useSetSearchParams();
  const chart = charts.data?.find((one) => one.kind === kind);
  const picked = selected !== null && 'transition' in selected ? selected.transition : null;
  if (charts.data !== undefined && chart === undefined) return <p className="soft">This chart cannot be drawn here.</p>;
  return (
    <Await query={layout} label="Loading the chart" lines={10}>
      {(drawn) =>
        chart === undefined ? null : (
          <>
            <ChartFigure
              form={form}
              isFolded={detail === 'states'}
              chart={chart}
              layout={drawn}
              stepDetail={stepDetail}
              selected={selected}
              onSelectState={(pick) => setQuery({ pick, transition: undefined }, { replaces: true })}
              onSelectTransition={(id) =>
                setQuery({ transition: id === picked ? undefined : id, pick: undefined }, { replaces: true })
              }
            />
            <PickedTransition chart={chart} picked={picked} />
          </>
        )
      }
    </Await>
  );
}
