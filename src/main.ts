#!/usr/bin/env node
import { parseCommandLine } from './commands/command-line.ts';
import { helpText, versionLine } from './commands/help.ts';
import { printLine } from './commands/print.ts';
import { assertNever, RetryableError, TerminalError } from './errors.ts';

/** The `quittance` command. Without a command it serves. */
async function main(): Promise<void> {
  const asked = parseCommandLine(process.argv.slice(2));
  switch (asked.kind) {
    case 'help':
      return printLine(helpText());
    case 'version':
      return printLine(versionLine());
    case 'run':
      return asked.run();
    default:
      return assertNever(asked, 'command line');
  }
}

main().catch((error: unknown) => {
  // What a person can mend is told in one message; only a bug deserves a stack.
  const known = error instanceof TerminalError || error instanceof RetryableError;
  process.stderr.write(`${known ? error.message : error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = 1;
});
