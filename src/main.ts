#!/usr/bin/env node
import { advance } from './commands/advance.ts';
import { parseCommandLine } from './commands/command-line.ts';
import { HELP, versionLine } from './commands/help.ts';
import { provision } from './commands/provision/command.ts';
import { serve } from './commands/serve/command.ts';
import { assertNever, TerminalError } from './errors.ts';

/** The `quittance` command. Without a command it serves. */
async function main(): Promise<void> {
  const command = parseCommandLine(process.argv.slice(2));
  switch (command.name) {
    case 'help':
      return print(HELP());
    case 'version':
      return print(versionLine());
    case 'serve':
      return serve(command);
    case 'provision':
      return provision(command);
    case 'wallet advance':
      return advance(command);
    default:
      return assertNever(command, 'command');
  }
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

main().catch((error: unknown) => {
  // What a person can mend is told in one message; only a bug deserves a stack.
  const known = error instanceof TerminalError;
  process.stderr.write(`${known ? error.message : error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = 1;
});
