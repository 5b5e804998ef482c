/**
 * How thorough a test run is. `npm test` is the quick level: every guarantee, with fewer random
 * examples and one backend where the full level has two. `TESTS=full npm test` is the full level,
 * which CI runs. Files named `*.full.test.ts` run there only.
 */
export const LEVELS = ['quick', 'full'] as const;
export type Level = (typeof LEVELS)[number];

const FULL_FILE_ENDING = '.full.test.ts';
/** Test files that only the full level runs. */
export const FULL_FILES = `**/*${FULL_FILE_ENDING}`;

export function isFullFile(path: string): boolean {
  return path.endsWith(FULL_FILE_ENDING);
}

/** With fewer examples a property proves little. */
const MIN_RUNS = 25;
const QUICK_SHARE = 0.1;

/** Reads the level from `TESTS`; throws for an unknown one. */
export function readLevel(env: NodeJS.ProcessEnv = process.env): Level {
  const text = env.TESTS || 'quick';
  const found = LEVELS.find((name) => name === text);
  if (found === undefined) throw new RangeError(`TESTS must be ${LEVELS.join(' or ')}, got "${text}"`);
  return found;
}

/** Examples at a level: all, or a tenth but at least 25 (or all, if there are fewer). */
export function runsAt(name: Level, full: number): number {
  return name === 'full' ? full : Math.min(full, Math.max(MIN_RUNS, Math.ceil(full * QUICK_SHARE)));
}

const current = readLevel();

/** The level of this run; the only source of example counts for tests. */
export const level = {
  isFull: current === 'full',
  /** Number of examples to try of a property that has `full` of them at the full level. */
  runs: (full: number): number => runsAt(current, full),
  /** For sizes and lists of cases, and for counts of examples that take seconds each. */
  pick: <T>(choice: Readonly<Record<Level, T>>): T => choice[current],
} as const;
