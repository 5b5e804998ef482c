import { createInterface } from 'node:readline';

/** What one round measured; costs are per item, such as an event or a create. */
export interface RoundFigures {
  readonly perSecond: number;
  /** Processor time of this process, in µs, with the callers in it. */
  readonly nodeMicros: number;
  readonly postgresMicros: number;
  readonly walBytes: number;
}

export interface RoundRequest {
  readonly callers: number;
  readonly durationMs: number;
}

/**
 * Runs a round for each line of the standard input (a `RoundRequest` as JSON) and prints its
 * figures as JSON, until the input ends. Prints `ready` first.
 */
export async function answerRounds(round: (request: RoundRequest) => Promise<RoundFigures>): Promise<void> {
  process.stdout.write('ready\n');
  for await (const line of createInterface({ input: process.stdin })) {
    const figures = await round(JSON.parse(line) as RoundRequest);
    process.stdout.write(`${JSON.stringify(figures)}\n`);
  }
}
