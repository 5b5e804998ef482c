import { execFile } from 'node:child_process';

/**
 * promtool runs for a second or two; Go's default garbage collection would take a third of that.
 */
const FEW_COLLECTIONS = { ...process.env, GOGC: '400' };

/** Runs promtool. `output` is its stdout and stderr. */
export function promtool(
  args: readonly string[],
  { input = '' }: { readonly input?: string } = {},
): Promise<{ readonly exitCode: number; readonly output: string }> {
  return new Promise((resolve) => {
    const child = execFile('promtool', [...args], { env: FEW_COLLECTIONS }, (_error, stdout, stderr) => {
      resolve({ exitCode: child.exitCode ?? -1, output: stdout + stderr });
    });
    child.stdin?.end(input);
  });
}
