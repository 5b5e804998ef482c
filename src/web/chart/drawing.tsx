import type { ReactElement } from 'react';
import type { Box } from '../../http/console/contract/charts.ts';
import { type ChartOverlay, overlayOf } from './chart-overlay.ts';
import { Arrows, Edge } from './edge.tsx';
import { EventChip } from './event-chip.tsx';
import { FlowCounts } from './flow-counts.tsx';
import { headOf } from './head-position.ts';
import { pickedBy } from './picked-by.ts';
import { StateBox } from './state-box.tsx';
import type { DrawnChartData } from './types.ts';

/**
 * All parts of a chart, for any SVG: in the console and in the pictures of the documentation.
 * Branches lie below the edges, which run through them; leaves and events lie above.
 */
export function ChartDrawing(props: DrawnChartData): ReactElement {
  const { chart, layout, selected } = props;
  const overlay = overlayOf(props);
  const branches = layout.states.filter(({ path }) => typeOf(path, props) === 'compound' && path !== '');
  const leaves = layout.states.filter((box) => !branches.includes(box));
  const taken = (transitionId: string): string =>
    overlay.takes(transitionId) > 0 || overlay.flow(transitionId) > 0 ? ' is-taken' : '';
  // Draw taken edges above the others, which they cross.
  const edges = [...layout.edges].sort((a, b) => taken(a.transitionId).length - taken(b.transitionId).length);
  return (
    <>
      {branches.map((box) => (
        <State key={box.path} {...props} overlay={overlay} path={box.path} box={box} />
      ))}
      <g className="chart-edges">
        {edges.map((edge) => (
          <Edge
            key={edge.id}
            id={edge.id}
            points={edge.points}
            hasArrow={edge.hasArrow}
            className={`chart-edge${taken(edge.transitionId)}${pickedBy(selected, 'transition', edge.transitionId) ? ' is-selected' : ''}`}
          />
        ))}
        {layout.initials.map(({ state, dot, points }) => (
          <g key={state} className="chart-initial">
            <circle cx={dot.x + dot.width / 2} cy={dot.y + dot.height / 2} r={dot.width / 2} />
            <Edge points={points} hasArrow className="chart-edge" />
          </g>
        ))}
      </g>
      {chart.isFolded ? <Arrows {...props} overlay={overlay} /> : null}
      {leaves.map((box) => (
        <State key={box.path} {...props} overlay={overlay} path={box.path} box={box} />
      ))}
      {chart.isFolded ? <FlowCounts {...props} overlay={overlay} /> : null}
      {chart.transitions.map((transition) => {
        const box = layout.events.find(({ transitionId }) => transitionId === transition.id);
        if (box === undefined) return null;
        return (
          <EventChip
            key={transition.id}
            transition={transition}
            chart={chart}
            box={box}
            overlay={overlay}
            isSelected={pickedBy(selected, 'transition', transition.id)}
            onSelect={bound(props.onSelectTransition, transition.id)}
          />
        );
      })}
    </>
  );
}

// Helpers

function State({
  path,
  box,
  overlay,
  ...props
}: DrawnChartData & { readonly path: string; readonly box: Box; readonly overlay: ChartOverlay }): ReactElement | null {
  const state = props.chart.states.find((each) => each.path === path);
  if (state === undefined) return null;
  return (
    <StateBox
      state={state}
      box={box}
      overlay={overlay}
      isSelected={pickedBy(props.selected, 'state', path)}
      head={state.type === 'compound' && path !== '' ? headOf(state, box, props.layout) : undefined}
      onSelect={bound(props.onSelectState, path)}
    />
  );
}

function typeOf(path: string, { chart }: DrawnChartData): string {
  return chart.states.find((state) => state.path === path)?.type ?? 'compound';
}

function bound(handler: ((name: string) => void) | undefined, name: string): (() => void) | undefined {
  return handler === undefined ? undefined : () => handler(name);
}
