#!/usr/bin/env node
import { parseCommandLine } from './commands/command-line.ts';
import { printLine } from './commands/print.ts';
import { assertNever, RetryableError, TerminalError } from './errors.ts';
import { VERSION } from './version.ts';

/** How long what is open after a failure may take to end by itself. */
const GIVE_UP_OPEN_MS = 1_000;

/** The `quittance` command. Without a command it serves. */
async function main(): Promise<void> {
  const asked = await parseCommandLine(process.argv.slice(2));
  switch (asked.kind) {
    case 'help':
      return printLine(await (await import('./commands/help.ts')).helpText());
    case 'version':
      return printLine(`quittance ${VERSION}`);
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
  // Connections that a start had opened before it failed would keep the process for ever.
  setTimeout(() => process.exit(), GIVE_UP_OPEN_MS).unref();
});
