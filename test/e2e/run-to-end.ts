import { Readable } from 'node:stream';
import { vi } from 'vitest';
import { parseCommandLine } from '../../src/cli/command-line.ts';
import { RetryableError, TerminalError } from '../../src/platform/errors.ts';
import { level } from '../support/run/level.ts';
import { runCommand } from './cli/command.ts';

export interface CommandInput {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Standard input; nothing by default. */
  readonly input?: string;
}

export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a command to completion with only these settings. A separate process takes half a second of
 * CPU time to start, so the quick level runs the command in this process; test/e2e/cli/cli.test.ts
 * covers what src/main.ts adds.
 */
export async function runToEnd(
  args: readonly string[],
  { cwd, env, input = '' }: CommandInput,
): Promise<CommandResult> {
  // Not synchronous: this process may serve the command's requests.
  if (level.isFull) return runCommand(args, { cwd, env, input }).end();
  return runInProcess(args, { cwd, env, input });
}

/** Runs a command to completion in this process, at every level, with only these settings. */
export async function runInProcess(
  args: readonly string[],
  { cwd, env, input = '' }: CommandInput,
): Promise<CommandResult> {
  const stdout: string[] = [];
  const stderr: string[] = [];
  const before = { cwd: process.cwd(), env: process.env, exitCode: process.exitCode, stdin: process.stdin };
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => stdout.push(String(text)) > 0),
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => stderr.push(String(text)) > 0),
  ];
  const setInput = (value: Readable) => Object.defineProperty(process, 'stdin', { value, configurable: true });
  process.chdir(cwd);
  process.env = { PATH: before.env.PATH, ...env };
  process.exitCode = undefined;
  setInput(Readable.from([Buffer.from(input)]));
  try {
    const requested = await parseCommandLine(args);
    if (requested.kind !== 'run') throw new Error(`${args.join(' ')} runs nothing`);
    await requested.run();
    return { code: Number(process.exitCode ?? 0), stdout: stdout.join(''), stderr: stderr.join('') };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const isKnown = error instanceof TerminalError || error instanceof RetryableError;
    const message = isKnown ? error.message : error.stack;
    return { code: 1, stdout: stdout.join(''), stderr: `${stderr.join('')}${message}\n` };
  } finally {
    for (const spy of spies) spy.mockRestore();
    process.chdir(before.cwd);
    process.env = before.env;
    process.exitCode = before.exitCode;
    setInput(before.stdin);
  }
}
