import { execFile } from 'node:child_process';

/** It lives for a second or two: collecting garbage as a server does takes a third of that. */
const FEW_COLLECTIONS = { ...process.env, GOGC: '400' };

/** Runs it. `output` is what it has printed on either channel. */
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
