#!/usr/bin/env node
import { parseCommandLine } from './cli/command-line.ts';
import { printLine } from './cli/print.ts';
import { assertNever, RetryableError, TerminalError } from './platform/errors.ts';
import { VERSION } from './platform/version.ts';

/** The `quittance` command line. Without a command it runs the service. */
async function main(): Promise<void> {
  const requested = await parseCommandLine(process.argv.slice(2));
  switch (requested.kind) {
    case 'help':
      return printLine(await (await import('./cli/help.ts')).helpText());
    case 'version':
      return printLine(`quittance ${VERSION}`);
    case 'run':
      return requested.run();
    default:
      return assertNever(requested, 'command line');
  }
}

main().catch(exitWithFailure);

// Helpers

/** Time limit for open handles to close after a failure. */
const GIVE_UP_OPEN_MS = 1_000;

/**
 * Prints why the command failed and ends the process with exit code 1. Known errors print one
 * message with the remedy; only a bug prints its stack.
 */
function exitWithFailure(error: unknown): void {
  const known = error instanceof TerminalError || error instanceof RetryableError;
  process.stderr.write(`${known ? error.message : error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = 1;
  // Connections opened before startup failed would keep the process running.
  setTimeout(() => process.exit(), GIVE_UP_OPEN_MS).unref();
}
