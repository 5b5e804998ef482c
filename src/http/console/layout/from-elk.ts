import type { ElkExtendedEdge, ElkNode } from 'elkjs/lib/elk-api.js';
import type { Box, ChartLayout, FoldableChart, Point } from '../contract/charts.ts';
import {
  eventSize,
  HEAD_GAP,
  headSize,
  internalTransitionsOf,
  ROW_GAP,
  STATE_PADDING,
} from '../text-measurement/index.ts';

/**
 * Converts ELK's result to the console's layout. Copies only named fields, because ELK leaves a
 * counter (`$H`) on every object, which differs between runs.
 */
export function fromElk(graph: ElkNode, chart: FoldableChart): ChartLayout {
  const nodes = new Map(allNodes(graph).map((node) => [node.id, boxOf(node)]));
  const edges = new Map(allEdges(graph).map((edge) => [edge.id, pointsOf(edge)]));
  const paths = chart.states.map(({ path }) => path);
  const states = paths.flatMap((path) => {
    const box = nodes.get(`state:${path}`);
    return box === undefined ? [] : [{ path, ...box }];
  });
  const rows = states.flatMap((box) => rowsIn(box.path, nodes, chart));
  return {
    kind: chart.kind,
    version: chart.version,
    width: Math.ceil(graph.width ?? 0),
    height: Math.ceil(graph.height ?? 0),
    states,
    events: (chart.isFolded ? [] : chart.transitions).map(({ id }) => {
      const box = nodes.get(`event:${id}`) ?? rows.find(({ transitionId }) => transitionId === id);
      if (box === undefined) throw new Error(`the layout of "${chart.kind}" has lost transition "${id}"`);
      return { transitionId: id, x: box.x, y: box.y, width: box.width, height: box.height };
    }),
    edges: chart.transitions
      .filter(({ to }) => to !== null)
      .flatMap(({ id }) =>
        (chart.isFolded ? ['out'] : ['in', 'out']).map((side) => {
          const points = edges.get(`${side}:${id}`);
          if (points === undefined) throw new Error(`the layout of "${chart.kind}" has lost an edge of "${id}"`);
          return { id: `${side}:${id}`, transitionId: id, points, hasArrow: side === 'out' };
        }),
      ),
    initials: paths.flatMap((path) => {
      const dot = nodes.get(`initial:${path}`);
      const points = edges.get(`initial:${path}`);
      return dot === undefined || points === undefined ? [] : [{ state: path, dot, points }];
    }),
  };
}

// Helpers

function allNodes(node: ElkNode): ElkNode[] {
  return (node.children ?? []).flatMap((child) => [child, ...allNodes(child)]);
}

function allEdges(node: ElkNode): ElkExtendedEdge[] {
  return [...(node.edges ?? []), ...(node.children ?? []).flatMap(allEdges)];
}

function boxOf({ x = 0, y = 0, width = 0, height = 0 }: ElkNode): Box {
  return { x: rounded(x), y: rounded(y), width: rounded(width), height: rounded(height) };
}

function pointsOf({ id, sections = [] }: ElkExtendedEdge): Point[] {
  const [section] = sections;
  // Other visualizers report this as a way to lose edges silently.
  if (section === undefined || sections.length > 1)
    throw new Error(`edge "${id}" has ${sections.length} courses, not 1`);
  return [section.startPoint, ...(section.bendPoints ?? []), section.endPoint].map(({ x, y }) => ({
    x: rounded(x),
    y: rounded(y),
  }));
}

/**
 * Positions of events that do not leave their state: under the text of a leaf, among the states of
 * a branch.
 */
function rowsIn(
  path: string,
  nodes: ReadonlyMap<string, Box>,
  chart: FoldableChart,
): (Box & { transitionId: string })[] {
  const state = chart.states.find((each) => each.path === path);
  const box = nodes.get(`state:${path}`);
  if (state === undefined || box === undefined) return [];
  const under = { x: box.x + STATE_PADDING, y: box.y + headSize(state).height - HEAD_GAP };
  const corner = nodes.get(`staying:${path}`) ?? under;
  let top = corner.y;
  return internalTransitionsOf(path, chart).map((transition) => {
    const row = { transitionId: transition.id, x: corner.x, y: rounded(top), ...eventSize(transition, chart) };
    top += row.height + ROW_GAP;
    return row;
  });
}

/** To tenths of a pixel, which is invisible and keeps the JSON short. */
function rounded(length: number): number {
  return Math.round(length * 10) / 10;
}
