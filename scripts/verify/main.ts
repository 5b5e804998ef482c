import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

/**
 * `npm run verify` builds once and then runs every `check:*` script of package.json, two at a time.
 * Prints the output of each when it ends, and finally the failed ones. Runs in the root of the
 * repository, where npm starts it.
 */
const AT_ONCE = 2;
/** First command of a check that is run alone. */
const BUILD = 'npm run --silent build && ';

interface Outcome {
  readonly name: string;
  readonly isPassed: boolean;
  readonly seconds: number;
}

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Readonly<Record<string, string>> };
const waiting = Object.entries(scripts).filter(([name]) => name.startsWith('check:'));
const outcomes: Outcome[] = [];
await Promise.all(Array.from({ length: AT_ONCE }, work));

const failed = outcomes.filter(({ isPassed }) => !isPassed);
console.log(`\n${outcomes.length - failed.length} checks passed, ${failed.length} failed`);
if (failed.length > 0) {
  console.error(failed.map(({ name }) => `failed: npm run ${name}`).join('\n'));
  process.exitCode = 1;
}

// Helpers

async function work(): Promise<void> {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const [name, script] = next;
    outcomes.push(await run(name, script.replace(BUILD, '')));
  }
}

async function run(name: string, command: string): Promise<Outcome> {
  const startedAt = performance.now();
  const child = spawn(command, { shell: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => output.push(chunk));
  await once(child, 'close');
  const seconds = (performance.now() - startedAt) / 1_000;
  const isPassed = child.exitCode === 0;
  console.log(`--- ${name}: ${isPassed ? 'passed' : 'FAILED'} in ${seconds.toFixed(1)} s`);
  process.stdout.write(Buffer.concat(output));
  return { name, isPassed, seconds };
}
