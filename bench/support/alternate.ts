import { costTable, type Meter } from './costs.ts';
import { fireMeasured, type MeasuredLoad, middle, type Target } from './load.ts';
import type { RoundRequest } from './rounds.ts';

export interface Contestant {
  readonly name: string;
  readonly meter: Meter;
  readonly target: Target;
}

/** Alternating rounds of all contestants, after one warm-up round that is not counted. */
export async function alternate(
  contestants: readonly Contestant[],
  { rounds, ...request }: RoundRequest & { readonly rounds: number },
): Promise<Map<string, MeasuredLoad>> {
  const loads = new Map<string, MeasuredLoad[]>(contestants.map(({ name }) => [name, []]));
  for (const { meter, target } of contestants) await fireMeasured(meter, target, { ...request, durationMs: 1_000 });
  for (let round = 0; round < rounds; round += 1) {
    for (const { name, meter, target } of contestants) {
      loads.get(name)?.push(await fireMeasured(meter, target, request));
    }
  }
  return new Map([...loads].map(([name, each]) => [name, middle(each)]));
}

/** Prints costs and latencies; `rows` as they were counted beforehand. */
export function printLoads(
  item: string,
  results: ReadonlyMap<string, MeasuredLoad>,
  rows: ReadonlyMap<string, number> = new Map(),
): void {
  const lines = [...results].map(([name, load]) => [name, { ...load, rows: rows.get(name) ?? Number.NaN }] as const);
  const [heading = '', ...table] = costTable(item, lines);
  const times = lines.map(([, { p50Ms, p99Ms }]) => `  p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`);
  process.stdout.write(`\n${heading}\n${table.map((line, index) => `${line}${times[index]}\n`).join('')}`);
}
