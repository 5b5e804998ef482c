import { createWriteStream } from 'node:fs';

/** A log of events with seconds since the start, on the terminal and in a file. */
export interface Timeline {
  readonly seconds: () => number;
  /** Logs one line. Faults are counted by name for the summary. */
  log(what: string, fault?: string): void;
  counts(): ReadonlyMap<string, number>;
  close(): void;
}

export function createTimeline(file: string, print: (line: string) => void): Timeline {
  const startedAt = performance.now();
  const stream = createWriteStream(file, { flags: 'a' });
  const counts = new Map<string, number>();
  const seconds = () => (performance.now() - startedAt) / 1_000;
  return {
    seconds,
    log(what, fault) {
      if (fault !== undefined) counts.set(fault, (counts.get(fault) ?? 0) + 1);
      const line = `${seconds().toFixed(1).padStart(7)}  ${fault === undefined ? '' : `[${fault}] `}${what}`;
      stream.write(`${line}\n`);
      print(line);
    },
    counts: () => counts,
    close: () => stream.end(),
  };
}
