import type { Box, ChartLayout } from '../../http/console/contract/charts.ts';

export type ArrowKey = 'ArrowLeft' | 'ArrowRight' | 'ArrowUp' | 'ArrowDown';

/**
 * The node an arrow key moves to: the nearest one whose centre lies in that direction, with the
 * distance perpendicular to it counted twice. Null at the edge of the chart. Nodes are named as in
 * the drawing, `state:` or `event:`.
 */
export function nearestNode(layout: ChartLayout, from: string, key: ArrowKey): string | null {
  const nodes = nodesOf(layout);
  const start = nodes.get(from);
  if (start === undefined) return null;
  let nearest: string | null = null;
  let least = Infinity;
  for (const [name, box] of nodes) {
    const { ahead, aside } = offset(start, box, key);
    const distance = ahead + 2 * Math.abs(aside);
    if (name === from || ahead <= 1 || distance >= least) continue;
    nearest = name;
    least = distance;
  }
  return nearest;
}

export function boxOfNode(layout: ChartLayout, name: string): Box | null {
  return nodesOf(layout).get(name) ?? null;
}

// Helpers

function nodesOf({ states, events }: ChartLayout): ReadonlyMap<string, Box> {
  return new Map<string, Box>([
    ...states.map((box): [string, Box] => [`state:${box.path}`, box]),
    ...events.map((box): [string, Box] => [`event:${box.transitionId}`, box]),
  ]);
}

function offset(from: Box, to: Box, key: ArrowKey): { ahead: number; aside: number } {
  const x = to.x + to.width / 2 - (from.x + from.width / 2);
  const y = to.y + to.height / 2 - (from.y + from.height / 2);
  return {
    ArrowRight: { ahead: x, aside: y },
    ArrowLeft: { ahead: -x, aside: y },
    ArrowDown: { ahead: y, aside: x },
    ArrowUp: { ahead: -y, aside: x },
  }[key];
}
