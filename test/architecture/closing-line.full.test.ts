import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SUPPORT = join(ROOT, 'test/support/run');

const PASSES = "it('adds', () => expect(1 + 1).toBe(2));";
const FAILS = "it('adds wrongly', () => expect(1 + 1).toBe(3));";
const SKIPS = "requireOrSkip(false, 'foo is not installed', 'install foo')('with foo', () => { it('a', () => {}); });";
const REJECTS = "it('leaks', () => { void Promise.reject(new Error('nobody waits')); });";

// Each case is a run of Vitest. The quick level itself ends with such a line.
describe('the closing line of a test run', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quittance-closing-line-'));
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
    await writeFile(
      join(folder, 'vitest.config.ts'),
      `import { createClosingLineReporter } from '${SUPPORT}/closing-line-reporter.ts';
       export default { test: { include: ['*.test.ts'], reporters: ['default', createClosingLineReporter()] } };`,
    );
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('counts the failed tests and sets a failing exit code', async () => {
    expect(await run([PASSES, FAILS])).toEqual({ exitCode: 1, lastLine: '1 passed, 1 failed', skipped: [] });
  });

  it('reports what a skipped suite lacks and the remedy', async () => {
    expect(await run([PASSES, SKIPS])).toEqual({
      exitCode: 0,
      lastLine: '1 passed, 0 failed, 1 skipped',
      skipped: ['skipped: some.test.ts > with foo: foo is not installed; remedy: install foo'],
    });
  });

  it('sets a failing exit code when CI_NO_SKIP=1 and a test was skipped', async () => {
    const result = await run([PASSES, SKIPS], { CI_NO_SKIP: '1' });
    expect(result).toMatchObject({ exitCode: 1, lastLine: '1 passed, 0 failed, 1 skipped' });
  });

  const brokenOutsideTests = [
    ['an unhandled rejection', REJECTS, '2 passed, 1 failed'],
    ['a file that does not load', "import './missing.ts';", '0 passed, 1 failed'],
  ] as const;
  it.each(brokenOutsideTests)('never reads "0 failed" after %s', async (_, line, lastLine) => {
    expect(await run([PASSES, line])).toEqual({ exitCode: 1, lastLine, skipped: [] });
  });

  async function run(lines: readonly string[], env: Record<string, string> = { CI_NO_SKIP: '' }) {
    const imports = `import { beforeAll, describe, expect, it } from 'vitest';
      import { requireOrSkip } from '${SUPPORT}/skip.ts';`;
    await writeFile(join(folder, 'some.test.ts'), [imports, ...lines].join('\n'));
    return runVitest(folder, { ...process.env, ...env });
  }
});

// Helpers

interface RunResult {
  readonly exitCode: number;
  readonly lastLine: string | undefined;
  readonly skipped: readonly string[];
}

function runVitest(cwd: string, env: NodeJS.ProcessEnv): Promise<RunResult> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run'],
      { cwd, env },
      (_, out) => {
        const lines = out.trimEnd().split('\n');
        const skipped = lines.filter((line) => line.startsWith('skipped: '));
        resolve({ exitCode: child.exitCode ?? -1, lastLine: lines.at(-1), skipped });
      },
    );
  });
}
