#!/usr/bin/env node
import { parseCommandLine } from './cli/command-line.ts';
import { exitWithFailure } from './cli/exit-code.ts';
import { printLine } from './cli/print.ts';
import { assertNever } from './platform/errors.ts';
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
