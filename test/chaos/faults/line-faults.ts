import type { Random } from '../random.ts';
import type { Line } from '../stage/line.ts';
import type { Stage } from '../stage/stage.ts';
import type { Fault } from './fault.ts';

/** Connections break and new ones are refused. */
export const CUT: Fault = {
  name: 'cut',
  lastsMs: [100, 5_000],
  async begin(stage, random) {
    const { lines, what } = pickLines(stage, random);
    for (const line of lines) line.cut();
    return { what: `cut: ${what}`, mend: async () => mend(lines) };
  },
};

/** Connections stay and carry nothing: a black hole. */
export const STALL: Fault = {
  name: 'stall',
  lastsMs: [1_000, 8_000],
  async begin(stage, random) {
    const { lines, what } = pickLines(stage, random);
    for (const line of lines) line.stall();
    return { what: `black hole: ${what}`, mend: async () => mend(lines) };
  },
};

// Helpers

/** One line, or all of those to one server. Lines to the node belong to the world, which cuts them for hours. */
function pickLines({ fleet }: Stage, random: Random): { readonly lines: readonly Line[]; readonly what: string } {
  const server = random.pick(['postgres', 'nats'] as const);
  const all = fleet.members.map(({ lines }) => lines[server]);
  if (random.chance(0.3)) return { lines: all, what: `everybody to ${server}` };
  const line = random.pick(all);
  return { lines: [line], what: line.name };
}

function mend(lines: readonly Line[]): void {
  for (const line of lines) line.mend();
}
