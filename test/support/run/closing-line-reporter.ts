import type { Reporter, TestCase, TestModule, TestSuite } from 'vitest/node';
import { level } from './level.ts';
import type { SkipReason } from './skip.ts';

interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/**
 * Ends a test run with one plain line, `N passed, N failed` (and `, N skipped` if any were
 * skipped), printed last. Before it, lists every skipped suite with what was missing and the
 * remedy. With `CI_NO_SKIP=1` in the environment a skipped test fails the run: its guarantee is
 * unproved.
 *
 * A failure outside a test (a file that does not load, a hook that throws, an unhandled rejection)
 * counts as one failure. So "0 failed" on a failed run means that only skipped tests failed it,
 * which is printed above.
 */
export function createClosingLineReporter(env: NodeJS.ProcessEnv = process.env): Reporter {
  // Printed when the run dies before it could count.
  const lines: string[] = [closingLine({ passed: 0, failed: 1, skipped: 0 })];
  let isFiltered = false;

  return {
    onInit(vitest) {
      isFiltered = vitest.config.testNamePattern !== undefined;
      // Vitest still prints while it closes; only an exit handler can print after it.
      if (!vitest.config.watch) process.once('exit', () => void process.stdout.write(`${lines.join('\n')}\n`));
    },

    onTestRunEnd(modules, unhandledErrors, reason) {
      const counted = tallyOf(modules, unhandledErrors.length);
      const tally = reason === 'passed' ? counted : { ...counted, failed: Math.max(counted.failed, 1) };
      lines.length = 0;
      // With `-t` every test not selected counts as skipped; listing them is useless.
      if (!isFiltered) lines.push(...skippedLines(modules));
      if (tally.skipped > 0 && env.CI_NO_SKIP === '1') {
        lines.push('CI_NO_SKIP=1: a skipped test fails this run. Provide what is missing above.');
        process.exitCode = 1;
      }
      if (!level.isFull) lines.push('Quick level. `TESTS=full npm test` runs every test with all its random examples.');
      lines.push(closingLine(tally));
    },
  };
}

/** `N passed, N failed`, with `, N skipped` when anything was. */
export function closingLine({ passed, failed, skipped }: Tally): string {
  const line = `${passed} passed, ${failed} failed`;
  return skipped > 0 ? `${line}, ${skipped} skipped` : line;
}

// Helpers

function tallyOf(modules: readonly TestModule[], unhandledErrors: number): Tally {
  let passed = 0;
  let failed = unhandledErrors;
  let skipped = 0;
  for (const module of modules) {
    failed += module.errors().length;
    for (const suite of module.children.allSuites()) failed += suite.errors().length;
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      if (state === 'passed') passed += 1;
      else if (state === 'failed') failed += 1;
      else skipped += 1;
    }
  }
  return { passed, failed, skipped };
}

/** One line per outermost skipped suite, or per test skipped on its own. */
function skippedLines(modules: readonly TestModule[]): string[] {
  return modules.flatMap((module) => skippedIn(module).map((line) => `skipped: ${module.relativeModuleId} > ${line}`));
}

function skippedIn(parent: TestModule | TestSuite): string[] {
  // A hook that threw is already reported as a failure; its tests were not skipped on purpose.
  if (parent.errors().length > 0) return [];
  return parent.children.array().flatMap((child) => {
    if (child.type === 'test')
      return child.result().state === 'skipped' ? [`${child.fullName}: ${whyTest(child)}`] : [];
    return child.state() === 'skipped' ? [`${child.fullName}: ${why(child.meta().skipped)}`] : skippedIn(child);
  });
}

function whyTest(test: TestCase): string {
  const result = test.result();
  return (result.state === 'skipped' && result.note) || why(test.meta().skipped);
}

function why(reason: SkipReason | undefined): string {
  return reason ? `${reason.missing}; remedy: ${reason.remedy}` : 'no reason given; skip with requireOrSkip()';
}
