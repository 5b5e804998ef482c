import { createInterface } from 'node:readline';
import type { MeterOptions, RoundFigures } from './costs.ts';

export interface RoundRequest extends MeterOptions {
  /** Concurrent callers; for `webhooks`, endpoints. */
  readonly callers: number;
  readonly durationMs: number;
}

/**
 * Runs a round for each line of the standard input (a `RoundRequest` as JSON) and prints its
 * figures as JSON, until the input ends. Prints `ready` first.
 */
export async function runRounds(round: (request: RoundRequest) => Promise<RoundFigures>): Promise<void> {
  process.stdout.write('ready\n');
  for await (const line of createInterface({ input: process.stdin })) {
    const figures = await round(JSON.parse(line) as RoundRequest);
    process.stdout.write(`${JSON.stringify(figures)}\n`);
  }
}
