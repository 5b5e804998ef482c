import { RetryableError, TerminalError } from '../platform/errors.ts';

/** Time limit for open handles to close after a failure. */
const GIVE_UP_OPEN_MS = 1_000;

/**
 * Prints why the command failed and ends the process with exit code 1. Known errors print one
 * message with the remedy; only a bug prints its stack.
 */
export function exitWithFailure(error: unknown): void {
  const known = error instanceof TerminalError || error instanceof RetryableError;
  process.stderr.write(`${known ? error.message : error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = 1;
  // Connections opened before startup failed would keep the process running.
  setTimeout(() => process.exit(), GIVE_UP_OPEN_MS).unref();
}
