import type { ReactElement } from 'react';
import type { StateDescription, TransitionDescription } from '../../http/console/contract/charts.ts';
import { eventLabel } from '../../http/console/text-measurement/index.ts';
import { countText } from '../ui/values/word-text.ts';
import { type ChartOverlay, overlayOf, shortCount } from './chart-overlay.ts';
import { chartWords, dwellText } from './labels.ts';
import { pickedBy } from './picked-by.ts';
import type { ChartData } from './types.ts';

/**
 * The chart as a nested list: every state with what it waits for, its description and its
 * transitions. For narrow screens, screen readers, and the browser's search. Of one actor, states
 * that it has not visited are folded.
 */
export function ChartList(props: ChartData): ReactElement {
  const overlay = overlayOf(props);
  const fromRoot = props.chart.transitions.filter(({ from }) => from === '');
  return (
    <section className="chart-list" aria-label={chartWords(props.chart)}>
      {fromRoot.length === 0 ? null : (
        <div className="chart-list-root">
          <h3 className="chart-list-title">In every state</h3>
          <Transitions {...props} overlay={overlay} transitions={fromRoot} />
        </div>
      )}
      <States {...props} overlay={overlay} parent="" />
    </section>
  );
}

// Helpers

interface Marked extends ChartData {
  readonly overlay: ChartOverlay;
}

interface StatesProps extends Marked {
  readonly parent: string;
  /** Within a folded part, where nothing is folded again. */
  readonly isFolded?: boolean;
}

function States({ parent, isFolded = false, ...props }: StatesProps): ReactElement | null {
  const states = props.chart.states.filter((state) => state.path !== '' && (state.parent ?? '') === parent);
  if (states.length === 0) return null;
  const unvisited = isFolded ? [] : states.filter(({ path }) => isUnvisited(path, props));
  const visited = states.filter((state) => !unvisited.includes(state));
  return (
    <>
      {visited.length === 0 ? null : <StateItems {...props} isFolded={isFolded} states={visited} />}
      {unvisited.length === 0 ? null : (
        <details className="chart-list-more">
          <summary>{countText(unvisited.length, 'state')} not visited</summary>
          <StateItems {...props} isFolded states={unvisited} />
        </details>
      )}
    </>
  );
}

function isUnvisited(path: string, { stepDetail, overlay }: Marked): boolean {
  return stepDetail !== undefined && overlay.visits(path) === 0 && !overlay.isLive(path);
}

interface StateItemsProps extends Marked {
  readonly states: readonly StateDescription[];
  readonly isFolded: boolean;
}

function StateItems({ states, isFolded, ...props }: StateItemsProps): ReactElement {
  return (
    <ul>
      {states.map((state) => (
        <li key={state.path}>
          <State {...props} state={state} />
          <States {...props} isFolded={isFolded} parent={state.path} />
        </li>
      ))}
    </ul>
  );
}

function State({ state, ...props }: Marked & { readonly state: StateDescription }): ReactElement {
  const { path, type, waitsFor, description } = state;
  const { overlay, selected, onSelectState } = props;
  const isPicked = pickedBy(selected, 'state', path);
  const name = path.slice(path.lastIndexOf('.') + 1);
  return (
    <div className={`chart-list-state${overlay.isLive(path) ? ' is-live' : ''}${isPicked ? ' is-selected' : ''}`}>
      <p className="chart-list-head">
        {onSelectState === undefined ? (
          <strong className="chart-list-title">{name}</strong>
        ) : (
          <button
            type="button"
            className="chart-list-title"
            aria-pressed={isPicked}
            onClick={() => onSelectState(path)}
          >
            {name}
          </button>
        )}
        {state.isInitial ? <span className="chart-tag">initial</span> : null}
        {type === 'final' ? <span className="chart-tag">final</span> : null}
        {overlay.isLive(path) && type !== 'compound' ? <span className="chart-tag is-live">is here</span> : null}
        <Counts path={path} overlay={overlay} />
      </p>
      {waitsFor === null ? null : <p className="chart-list-note">Waits for {waitsFor}</p>}
      {description === '' ? null : <p className="chart-list-note">{description}</p>}
      <Transitions {...props} transitions={props.chart.transitions.filter(({ from }) => from === path)} />
    </div>
  );
}

function Counts({ path, overlay }: { readonly path: string; readonly overlay: ChartOverlay }): ReactElement | null {
  const [visits, resting, dwell] = [overlay.visits(path), overlay.resting(path), overlay.dwell(path)];
  if (visits > 0) return <span className="chart-tag">visited {shortCount(visits)}×</span>;
  if (resting === null || resting.count === 0) return null;
  return (
    <>
      <span className="chart-tag">{shortCount(resting.count)} here</span>
      {resting.overdue === 0 ? null : (
        <span className="chart-tag is-overdue">⚠ {shortCount(resting.overdue)} overdue</span>
      )}
      {dwell === null ? null : <span className={`chart-tag is-heat-${dwell.heat}`}>{dwellText(dwell)}</span>}
    </>
  );
}

function Transitions({
  transitions,
  ...props
}: Marked & { readonly transitions: readonly TransitionDescription[] }): ReactElement | null {
  if (transitions.length === 0) return null;
  return (
    <ul className="chart-list-transitions">
      {transitions.map((transition) => (
        <li key={transition.id}>
          <Transition {...props} transition={transition} />
        </li>
      ))}
    </ul>
  );
}

function Transition({ transition, ...props }: Marked & { readonly transition: TransitionDescription }): ReactElement {
  const { id, event, guard, to } = transition;
  const { order } = eventLabel(transition, props.chart);
  const { selected, onSelectTransition } = props;
  const takes = props.overlay.takes(id);
  const words = (
    <>
      {order === null ? null : <span className="chart-list-order">{order}. </span>}
      <b>{event}</b>
      {guard === null ? null : <span className="chart-list-guard"> [{guard}]</span>}
      <span> {to === null ? 'stays' : `→ ${to === '' ? 'the beginning' : to}`}</span>
      {takes === 0 ? null : <span className="chart-tag">taken {shortCount(takes)}×</span>}
    </>
  );
  const className = `chart-chip${takes > 0 ? ' is-taken' : ''}${pickedBy(selected, 'transition', id) ? ' is-selected' : ''}`;
  if (onSelectTransition === undefined) {
    return (
      <span className={className} data-transition={id}>
        {words}
      </span>
    );
  }
  return (
    <button
      type="button"
      className={className}
      data-transition={id}
      aria-pressed={pickedBy(selected, 'transition', id)}
      onClick={() => onSelectTransition(id)}
    >
      {words}
    </button>
  );
}
