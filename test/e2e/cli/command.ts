import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { waitFor } from '../../../demo/wait.ts';
import { PROGRAM } from '../../../scripts/build/program.ts';
import { compile } from '../../support/run/compiled.ts';

/** The `quittance` command in a separate process. */
export interface CommandRun {
  /** Everything it has printed so far. */
  output(): string;
  signal(signal: NodeJS.Signals): void;
  /** Waits until it exits. A `code` of null means that a signal ended it. */
  end(): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>;
  /** Kills it if it is still running. */
  kill(): Promise<void>;
}

/** The command of the npm package: one file per module. All other tests start the bundle. */
export const PACKAGED = compile('src/main.ts');

export interface CommandSetup {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** The Node binary; by default the one that runs the tests. */
  readonly node?: string;
  readonly program?: string;
  /** Standard input; by default it stays open and empty. */
  readonly input?: string;
}

/** Starts the compiled command with these settings only, not with a developer's environment. */
export function runCommand(
  args: readonly string[],
  { cwd, env, node = process.execPath, program = PROGRAM, input }: CommandSetup,
): CommandRun {
  const child = spawn(node, [program, ...args], { cwd, env: { PATH: process.env.PATH, ...env } });
  if (input !== undefined) child.stdin.end(input);
  const stdout = collect(child.stdout);
  const stderr = collect(child.stderr);
  const closed = once(child, 'close');

  return {
    output: () => stdout() + stderr(),
    signal: (signal) => void child.kill(signal),
    async end() {
      await closed;
      return { code: child.exitCode, stdout: stdout(), stderr: stderr() };
    },
    async kill() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      await closed;
    },
  };
}

/**
 * Waits until the service logs that it runs; returns its URL. Needs LOG_LEVEL info, the default.
 */
export function servedUrl(command: CommandRun): Promise<string> {
  const find = async () => /"publicUrl":"([^"]+)".*quittance is running/.exec(command.output())?.[1] ?? null;
  return waitFor(find, () => `it did not start: ${command.output()}`);
}

// Helpers

function collect(stream: NonNullable<ChildProcess['stdout']>): () => string {
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString('utf8');
}
