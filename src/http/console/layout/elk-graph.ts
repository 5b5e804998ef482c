import type { ElkExtendedEdge, ElkNode, LayoutOptions } from 'elkjs/lib/elk-api.js';
import type { FoldableChart, StateDescription, TransitionDescription } from '../contract/charts.ts';
import {
  eventSize,
  headSize,
  INITIAL_SIZE,
  internalTransitionsOf,
  type Size,
  STATE_PADDING,
  stackSize,
  stateSize,
} from '../text-measurement/index.ts';
import { ancestorsOf, childrenOf, commonAncestor, isBranch } from './hierarchy.ts';

/**
 * Converts a chart to an ELK graph. States and events are nodes. An event lies in the innermost
 * state that contains both its ends, so that edges cross as few borders as possible. Events that
 * stay in a branch form one stack in it, without edges. A folded chart has no events: its edges
 * lead from state to state. Ids have a prefix for their type, because a state and a transition may
 * have the same name.
 */

export function elkGraph(chart: FoldableChart, options: LayoutOptions): ElkNode {
  const doesNest = chart.states.some(({ path, parent }) => path !== '' && parent !== null && parent !== '');
  return {
    id: 'root',
    layoutOptions: {
      ...spacingOf(chart),
      ...options,
      'elk.padding': '[top=10,left=10,bottom=10,right=10]',
      ...(doesNest ? { 'elk.hierarchyHandling': 'INCLUDE_CHILDREN' } : {}),
    },
    children: nodesIn('', chart, options),
    edges: edgesIn('', chart),
  };
}

/** A chip represents the root: a box around everything would add no information. */
function isDrawn(state: StateDescription, { transitions }: FoldableChart): boolean {
  return state.path !== '' || transitions.some(({ from, to }) => from === '' || to === '');
}

// Helpers

function nodesIn(path: string, chart: FoldableChart, options: LayoutOptions): ElkNode[] {
  const states = childrenOf(path, chart);
  const root = chart.states.filter((state) => state.path === '' && path === '' && isDrawn(state, chart));
  const staying = path === '' ? [] : internalTransitionsOf(path, chart);
  const stack = staying.length === 0 ? [] : [{ id: `staying:${path}`, ...stackSize(staying, chart) }];
  const here = chart.isFolded ? [] : chart.transitions.filter((transition) => containerOf(transition, chart) === path);
  const dots = states
    .filter(hasDot)
    .map((state): ElkNode => ({ id: `initial:${state.path}`, width: INITIAL_SIZE, height: INITIAL_SIZE }));
  // In reading order: a state, then its outgoing transitions. ELK keeps this order where nothing
  // else decides.
  const rest = [...root, ...states].flatMap((state) => [
    stateNode(state, chart, options),
    ...here.filter((transition) => leavesFrom(transition, state, path, chart)).map((each) => eventNode(each, chart)),
  ]);
  return [...dots, ...stack, ...rest];
}

function stateNode(state: StateDescription, chart: FoldableChart, options: LayoutOptions): ElkNode {
  const id = `state:${state.path}`;
  if (!isBranch(state.path, chart)) return { id, ...stateSize(state, chart) };
  return {
    id,
    children: nodesIn(state.path, chart, options),
    edges: edgesIn(state.path, chart),
    layoutOptions: branchOptions(headSize(state), { ...spacingOf(chart), ...options }),
  };
}

/** ELK sizes a branch by its content; its text needs space above and sets the minimum width. */
function branchOptions(size: Size, options: LayoutOptions): LayoutOptions {
  const side = STATE_PADDING + 6;
  return {
    ...options,
    'elk.padding': `[top=${size.height + 4},left=${side},bottom=${side},right=${side}]`,
    'elk.nodeSize.constraints': 'MINIMUM_SIZE',
    'elk.nodeSize.minimum': `(${size.width},${size.height})`,
  };
}

function eventNode(transition: TransitionDescription, chart: FoldableChart): ElkNode {
  return { id: `event:${transition.id}`, ...eventSize(transition, chart) };
}

/** Null for transitions without a target, which are shown in the box of their state. */
function containerOf({ from, to }: TransitionDescription, chart: FoldableChart): string | null {
  return to === null ? null : commonAncestor(from, to, chart);
}

function leavesFrom(
  { from }: TransitionDescription,
  state: StateDescription,
  container: string,
  chart: FoldableChart,
): boolean {
  if (from === state.path) return true;
  return state.path !== container && state.path !== '' && ancestorsOf(from, chart).includes(state.path);
}

/**
 * An edge lies in the container of its event: ELK applies the order of the chart only to the edges
 * declared in the same container.
 */
function edgesIn(path: string, chart: FoldableChart): ElkExtendedEdge[] {
  return [
    ...childrenOf(path, chart).filter(hasDot).map(initialEdge),
    ...chart.transitions
      .filter((transition) => containerOf(transition, chart) === path)
      .flatMap((each) => edgesOf(each, chart)),
  ];
}

function edgesOf({ id, from, to }: TransitionDescription, { isFolded }: FoldableChart): ElkExtendedEdge[] {
  if (to === null) return [];
  if (isFolded) return [{ id: `out:${id}`, sources: [`state:${from}`], targets: [`state:${to}`] }];
  return [
    { id: `in:${id}`, sources: [`state:${from}`], targets: [`event:${id}`] },
    { id: `out:${id}`, sources: [`event:${id}`], targets: [`state:${to}`] },
  ];
}

function hasDot({ isInitial, path }: StateDescription): boolean {
  return isInitial && path !== '';
}

/** The initial state comes first in reading direction, even when edges lead back to it. */
function initialEdge({ path }: StateDescription): ElkExtendedEdge {
  return {
    id: `initial:${path}`,
    sources: [`initial:${path}`],
    targets: [`state:${path}`],
    layoutOptions: { 'elk.layered.priority.direction': '10' },
  };
}

/** The distances of a chart's boxes and edges, as ELK options. */
function spacingOf({ isFolded }: FoldableChart): LayoutOptions {
  return isFolded ? SPACING_WHEN_FOLDED : SPACING_OF_EVENTS;
}

/**
 * Distances in CSS pixels. Without distance between edges and nodes, edges run along borders and
 * through corners.
 */
const SPACING_OF_EVENTS: LayoutOptions = {
  'elk.spacing.nodeNode': '22',
  'elk.spacing.edgeNode': '14',
  'elk.spacing.edgeEdge': '10',
  'elk.layered.spacing.nodeNodeBetweenLayers': '30',
  'elk.layered.spacing.edgeNodeBetweenLayers': '14',
  'elk.layered.spacing.edgeEdgeBetweenLayers': '10',
};
/** Smaller, because a folded chart is to fit a screen in both directions. */
const SPACING_WHEN_FOLDED: LayoutOptions = {
  'elk.spacing.nodeNode': '16',
  'elk.spacing.edgeNode': '10',
  'elk.spacing.edgeEdge': '8',
  'elk.layered.spacing.nodeNodeBetweenLayers': '16',
  'elk.layered.spacing.edgeNodeBetweenLayers': '8',
  'elk.layered.spacing.edgeEdgeBetweenLayers': '7',
};
