import { spawnSync } from 'node:child_process';
import { bundle } from '../../support/run/bundled.ts';

const MAIN = await bundle('src/main.ts');

/** Runs the command to completion with this standard input and only these settings. */
export function runWithInput(
  args: readonly string[],
  {
    cwd,
    input,
    env = {},
  }: { readonly cwd: string; readonly input: string; readonly env?: Readonly<Record<string, string>> },
): { readonly code: number | null; readonly stdout: string; readonly stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], {
    cwd,
    input,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, ...env },
  });
  return { code: status, stdout, stderr };
}
