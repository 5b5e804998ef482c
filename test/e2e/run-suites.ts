import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, relative, resolve } from 'node:path';
import { onTestFinished } from 'vitest';

export interface SuitesRun {
  readonly code: number | null;
  /** The test files that ran, relative to the repository, sorted. */
  readonly files: readonly string[];
  /** One line per test that did not pass and per file that did not load. */
  readonly notPassed: readonly string[];
  readonly output: string;
}

/** The fields of Vitest's JSON report that are used here. */
interface JsonReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[] | null;
    }[];
  }[];
}

const ROOT = resolve(import.meta.dirname, '../..');
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs');
/** As many as CI has processors: this run shares them with its parent run. */
const MAX_WORKERS = 2;

/**
 * Runs the test files in these folders on a Node binary, at the quick level. Call it inside a test.
 */
export async function runSuites(node: string, folders: readonly string[]): Promise<SuitesRun> {
  const folder = await mkdtemp(join(tmpdir(), 'quittance-suites-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const report = join(folder, 'report.json');
  const options = [`--maxWorkers=${MAX_WORKERS}`, '--reporter=json', `--outputFile=${report}`];
  const child = spawn(node, [VITEST, 'run', ...folders, ...options], {
    cwd: ROOT,
    env: {
      // Tests that start `node` get this binary too.
      PATH: [dirname(node), process.env.PATH].join(delimiter),
      HOME: process.env.HOME,
      TESTS: 'quick',
      TEST_FIRST_PORT_SLICE: '8',
      TEST_POSTGRES_URL: process.env.TEST_POSTGRES_URL,
      TEST_NATS_URL: process.env.TEST_NATS_URL,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGTERM'));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += String(chunk)));
  await once(child, 'close');
  return { code: child.exitCode, output, ...read(report, output) };
}

// Helpers

function read(path: string, output: string): Pick<SuitesRun, 'files' | 'notPassed'> {
  const { testResults } = readReport(path, output);
  const files = testResults.map(({ name }) => relative(ROOT, name)).toSorted();
  const notPassed = testResults.flatMap(({ name, status, message, assertionResults }) => {
    const tests = assertionResults.filter((each) => each.status !== 'passed');
    const lines = tests.map((each) => `${each.fullName}: ${firstLine(each.failureMessages?.[0]) ?? each.status}`);
    // A file that does not load, or a hook that throws.
    if (status !== 'passed' && lines.length === 0) lines.push(firstLine(message) ?? status);
    return lines.map((line) => `${relative(ROOT, name)} > ${line}`);
  });
  return { files, notPassed };
}

function readReport(path: string, output: string): JsonReport {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as JsonReport;
  } catch (cause) {
    throw new Error(`Vitest wrote no report:\n${output}`, { cause });
  }
}

function firstLine(text: string | undefined): string | undefined {
  return text?.trim().split('\n')[0] || undefined;
}
