import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** For `requireOrSkip`, when `hasPromtool` answers false. */
export const PROMTOOL_MISSING = {
  missing: 'promtool is not installed',
  remedy: 'apt-get install --no-install-recommends prometheus',
} as const;

/** Whether Prometheus's own checker can be asked here. */
export function hasPromtool(): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, 'promtool')));
}

/** Runs it. `output` is what it has printed on either channel. */
export function promtool(
  args: readonly string[],
  { input = '' }: { readonly input?: string } = {},
): Promise<{ readonly exitCode: number; readonly output: string }> {
  return new Promise((resolve) => {
    const child = execFile('promtool', [...args], (_error, stdout, stderr) => {
      resolve({ exitCode: child.exitCode ?? -1, output: stdout + stderr });
    });
    child.stdin?.end(input);
  });
}
