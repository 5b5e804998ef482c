import type { Box, ChartLayout, FoldableChart, Point } from '../../../src/http/console/contract/charts.ts';
import { ancestorsOf } from '../../../src/http/console/layout/hierarchy.ts';
import { eventSize, stateSize } from '../../../src/http/console/text-measurement/index.ts';

/** Rules that every layout must follow; returns the violations. */
export function brokenRules(layout: ChartLayout, chart: FoldableChart): string[] {
  return [
    ...missing(layout, chart),
    ...overlappingStates(layout, chart),
    ...overlappingEvents(layout, chart),
    ...tightBoxes(layout, chart),
    ...looseEdges(layout, chart),
    ...outside(layout),
  ];
}

// Helpers

/** Coordinates are rounded to tenths. */
const TOLERANCE = 0.3;

function missing(layout: ChartLayout, { states, transitions }: FoldableChart): string[] {
  const hasRoot = transitions.some(({ from, to }) => from === '' || to === '');
  const expected = {
    states: states.map(({ path }) => path).filter((path) => path !== '' || hasRoot),
    events: transitions.map(({ id }) => id),
    edges: transitions.filter(({ to }) => to !== null).flatMap(({ id }) => [`in:${id}`, `out:${id}`]),
    initials: states.filter(({ isInitial }) => isInitial).map(({ path }) => path),
  };
  const drawn = {
    states: layout.states.map(({ path }) => path),
    events: layout.events.map(({ transitionId }) => transitionId),
    edges: layout.edges.map(({ id }) => id),
    initials: layout.initials.map(({ state }) => state),
  };
  return (['states', 'events', 'edges', 'initials'] as const).flatMap((what) => {
    const [want, have] = [expected[what].toSorted().join('\n'), drawn[what].toSorted().join('\n')];
    return want === have ? [] : [`${what}: expected ${want}, drawn ${have}`];
  });
}

function overlappingStates({ states }: ChartLayout, chart: FoldableChart): string[] {
  return pairs(states).flatMap(([one, other]) => {
    const isInside = one.path !== '' && ancestorsOf(other.path, chart).includes(one.path);
    const holds = other.path !== '' && ancestorsOf(one.path, chart).includes(other.path);
    const isRight = isInside ? contains(one, other) : holds ? contains(other, one) : areApart(one, other);
    return isRight ? [] : [`states ${one.path} and ${other.path} overlap`];
  });
}

function overlappingEvents({ events, states }: ChartLayout, chart: FoldableChart): string[] {
  const among = pairs(events)
    .filter(([one, other]) => !areApart(one, other))
    .map(([one, other]) => `events ${one.transitionId} and ${other.transitionId} overlap`);
  const onStates = events.flatMap((event) => {
    const around = statesAround(event.transitionId, chart);
    return states
      .filter((state) => !(around.has(state.path) ? contains(state, event) : areApart(state, event)))
      .map(({ path }) => `event ${event.transitionId} lies on the border of, or wrongly in, state ${path}`);
  });
  return [...among, ...onStates];
}

/**
 * The states an event must lie in: for an internal transition its own state and that state's
 * ancestors, otherwise the common ancestors of both ends.
 */
function statesAround(transitionId: string, chart: FoldableChart): ReadonlySet<string> {
  const { from, to } = transitionOf(transitionId, chart);
  if (to === null)
    return new Set(from === '' ? [''] : [from, ...ancestorsOf(from, chart)].filter((path) => path !== ''));
  const around = new Set(ancestorsOf(to, chart));
  return new Set(ancestorsOf(from, chart).filter((path) => path !== '' && around.has(path)));
}

function tightBoxes({ states, events }: ChartLayout, chart: FoldableChart): string[] {
  const tightStates = states.filter((box) => {
    const state = chart.states.find(({ path }) => path === box.path);
    const isBranch = chart.states.some(({ parent }) => parent === box.path && box.path !== '');
    return state === undefined || !isAtLeast(box, isBranch ? { width: 0, height: 0 } : stateSize(state, chart));
  });
  const tightEvents = events.filter((box) => !isAtLeast(box, eventSize(transitionOf(box.transitionId, chart), chart)));
  return [
    ...tightStates.map(({ path }) => `state ${path} is smaller than its text`),
    ...tightEvents.map(({ transitionId }) => `event ${transitionId} is smaller than its text`),
  ];
}

function looseEdges({ states, events, edges, initials }: ChartLayout, chart: FoldableChart): string[] {
  const stateBox = (path: string): Box | undefined => states.find((state) => state.path === path);
  const broken = (id: string, points: readonly Point[], source: Box | undefined, target: Box | undefined): string[] => [
    ...(isOnBorder(points[0], source) ? [] : [`edge ${id} does not begin at its box`]),
    ...(isOnBorder(points.at(-1), target) ? [] : [`edge ${id} does not end at its box`]),
    ...(points.every((point, position) => isStraight(point, points[position - 1])) ? [] : [`edge ${id} is slanted`]),
  ];
  const ofTransitions = edges.flatMap(({ id, transitionId, points, hasArrow }) => {
    const { from, to } = transitionOf(transitionId, chart);
    const event = events.find((each) => each.transitionId === transitionId);
    return hasArrow ? broken(id, points, event, stateBox(to ?? from)) : broken(id, points, stateBox(from), event);
  });
  return [
    ...ofTransitions,
    ...initials.flatMap(({ state, dot, points }) => broken(`initial ${state}`, points, dot, stateBox(state))),
  ];
}

function outside({ width, height, states, events, edges, initials }: ChartLayout): string[] {
  const paper = { x: 0, y: 0, width, height };
  const boxes = [...states, ...events, ...initials.map(({ dot }) => dot)];
  const points = [...edges, ...initials].flatMap((edge) => edge.points);
  const out = [...boxes, ...points.map((point) => ({ ...point, width: 0, height: 0 }))].filter(
    (box) => !contains(paper, box),
  );
  return out.map((box) => `${JSON.stringify(box)} lies outside of the picture`);
}

function transitionOf(id: string, { transitions }: FoldableChart): FoldableChart['transitions'][number] {
  const transition = transitions.find((each) => each.id === id);
  if (transition === undefined) throw new Error(`the layout draws "${id}", which is no transition`);
  return transition;
}

function pairs<T>(items: readonly T[]): [T, T][] {
  return items.flatMap((one, position) => items.slice(position + 1).map((other): [T, T] => [one, other]));
}

function areApart(one: Box, other: Box): boolean {
  return (
    one.x + one.width <= other.x + TOLERANCE ||
    other.x + other.width <= one.x + TOLERANCE ||
    one.y + one.height <= other.y + TOLERANCE ||
    other.y + other.height <= one.y + TOLERANCE
  );
}

function contains(outer: Box, inner: Box): boolean {
  return (
    inner.x >= outer.x - TOLERANCE &&
    inner.y >= outer.y - TOLERANCE &&
    inner.x + inner.width <= outer.x + outer.width + TOLERANCE &&
    inner.y + inner.height <= outer.y + outer.height + TOLERANCE
  );
}

function isAtLeast(box: Box, { width, height }: Pick<Box, 'width' | 'height'>): boolean {
  return box.width >= width - TOLERANCE && box.height >= height - TOLERANCE;
}

function isOnBorder(point: Point | undefined, box: Box | undefined): boolean {
  if (point === undefined || box === undefined) return false;
  const onSide = [box.x, box.x + box.width].some((x) => Math.abs(point.x - x) <= TOLERANCE);
  const onTop = [box.y, box.y + box.height].some((y) => Math.abs(point.y - y) <= TOLERANCE);
  return (onSide || onTop) && contains(box, { ...point, width: 0, height: 0 });
}

function isStraight(point: Point, before: Point | undefined): boolean {
  return before === undefined || Math.abs(point.x - before.x) <= TOLERANCE || Math.abs(point.y - before.y) <= TOLERANCE;
}
