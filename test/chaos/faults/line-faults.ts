import type { Environment } from '../environment/environment.ts';
import type { Line } from '../environment/line.ts';
import type { Random } from '../random.ts';
import type { Fault } from './fault.ts';

/** Connections break and new ones are refused. */
export const CUT: Fault = {
  name: 'cut',
  lastsMs: [100, 5_000],
  async begin(environment, random) {
    const { lines, what } = pickLines(environment, random);
    for (const line of lines) line.cut();
    return { what: `cut: ${what}`, repair: async () => repair(lines) };
  },
};

/** Connections stay open but carry no data: a black hole. */
export const STALL: Fault = {
  name: 'stall',
  lastsMs: [1_000, 8_000],
  async begin(environment, random) {
    const { lines, what } = pickLines(environment, random);
    for (const line of lines) line.stall();
    return { what: `black hole: ${what}`, repair: async () => repair(lines) };
  },
};

/** Existing connections to Postgres go silent for ever without breaking; new ones work. */
export const SILENCE: Fault = {
  name: 'silence',
  lastsMs: [1_000, 8_000],
  async begin({ fleet }, random) {
    const all = fleet.members.map(({ lines }) => lines.postgres);
    const lines = random.chance(0.3) ? all : [random.pick(all)];
    const count = lines.reduce((sum, line) => sum + line.silence(), 0);
    const where = lines.length > 1 ? 'of all processes to Postgres' : `of ${lines[0]?.name}`;
    // Nothing to repair: the service must detect this and reconnect.
    return { what: `${count} connections ${where} are silent`, repair: async () => {} };
  },
};

// Helpers

/**
 * One line, or all lines to one server. The workload cuts the lines to the node itself, for hours.
 */
function pickLines({ fleet }: Environment, random: Random): { readonly lines: readonly Line[]; readonly what: string } {
  const server = random.pick(['postgres', 'nats'] as const);
  const all = fleet.members.map(({ lines }) => lines[server]);
  if (random.chance(0.3)) return { lines: all, what: `everybody to ${server}` };
  const line = random.pick(all);
  return { lines: [line], what: line.name };
}

function repair(lines: readonly Line[]): void {
  for (const line of lines) line.repair();
}
