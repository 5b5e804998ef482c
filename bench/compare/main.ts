import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RoundFigures } from '../support/costs.ts';
import { median } from '../support/measure.ts';
import { print } from '../support/print.ts';
import { readSettings } from '../support/settings.ts';
import { buildCommit } from './built-commit.ts';
import { type Side, startSide } from './side.ts';

/**
 * The working tree against another commit, in one run: both are built, rounds alternate, and the
 * ratio of each pair is computed, so that a change in the machine's speed favours neither.
 */

const {
  BENCH_ROUND_MS: ROUND_MS,
  BENCH_ROUNDS: ROUNDS,
  BENCH_CALLERS: CALLERS,
} = readSettings(
  'The working tree against another commit: npm run bench:compare -- COMMIT [engine|create|webhooks|api]',
  {
    BENCH_ROUND_MS: 4_000,
    BENCH_ROUNDS: 5,
    BENCH_CALLERS: '64,512',
  },
);
const [commit = 'HEAD', bench = 'engine'] = process.argv.slice(2);
const dist = fileURLToPath(new URL('../../', import.meta.url));

interface Pair {
  readonly here: RoundFigures;
  readonly there: RoundFigures;
}

async function compare(here: Side, there: Side): Promise<void> {
  for (const [index, callers] of CALLERS.split(',').map(Number).entries()) {
    const request = { callers, durationMs: ROUND_MS };
    // Compiles the hot code of both, fills their tables alike, and counts their rows once.
    const first = { ...request, countRows: index === 0 };
    const warmUp: Pair = { there: await there.run(first), here: await here.run(first) };
    const pairs: Pair[] = [];
    while (pairs.length < ROUNDS) pairs.push({ there: await there.run(request), here: await here.run(request) });
    print(`${callers} callers`);
    for (const name of NAMES) print(`  ${row(name, pairs)}`);
    if (warmUp.here.rows !== undefined && warmUp.there.rows !== undefined) print(`  ${row('rows', [warmUp], 1)}`);
  }
}

async function main(): Promise<void> {
  const other = buildCommit(commit, bench);
  try {
    const scriptOf = (root: string) => join(root, 'bench', bench, 'round.js');
    for (const root of [dist, other.dist]) {
      if (!existsSync(scriptOf(root))) throw new Error(`${root} has no bench/${bench}/round.ts to compare`);
    }
    const [here, there] = [await startSide(scriptOf(dist)), await startSide(scriptOf(other.dist))];
    print(`${bench}: the working tree against ${other.hash}; medians, and the ratios of ${ROUNDS} pairs`);
    await compare(here, there);
    await Promise.all([here.stop(), there.stop()]);
  } finally {
    other.remove();
  }
}

// Helpers

const NAMES = ['perSecond', 'nodeMicros', 'postgresMicros', 'walBytes'] as const;

function row(name: keyof RoundFigures, pairs: readonly Pair[], digits = 0): string {
  const of = ({ [name]: figure = Number.NaN }: RoundFigures) => figure;
  const ratios = pairs.map(({ here, there }) => of(here) / of(there));
  const show = (side: keyof Pair) =>
    median(pairs.map((pair) => of(pair[side]))).toLocaleString('en-US', { maximumFractionDigits: digits });
  const range = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
  return `${name.padEnd(16)}${show('here').padStart(10)}${show('there').padStart(10)}  × ${median(ratios).toFixed(2)} (${range})`;
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
await main();
