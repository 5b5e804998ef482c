import type { Command } from './command.ts';
import { COMMANDS, DEFAULT_COMMAND } from './command-table.ts';
import { usage } from './options.ts';

/** What was asked for on the command line. */
export type CommandLine =
  | { readonly kind: 'help' }
  | { readonly kind: 'version' }
  | { readonly kind: 'run'; readonly name: string; readonly run: () => Promise<void> };

/** Reads the arguments. Throws a `TerminalError` `USAGE` that says what is expected. */
export function parseCommandLine(args: readonly string[]): CommandLine {
  if (args[0] === 'help' || args.includes('--help') || args.includes('-h')) return { kind: 'help' };
  if (args.includes('--version') || args.includes('-v')) return { kind: 'version' };
  const optionsBegin = args.findIndex((arg) => arg.startsWith('-'));
  const words = optionsBegin === -1 ? args : args.slice(0, optionsBegin);
  const command = words.length === 0 ? DEFAULT_COMMAND : findCommand(words);
  const rest = words.length === 0 ? args : args.slice(wordsOf(command).length);
  return { kind: 'run', name: command.name, run: command.prepare(rest) };
}

// Helpers

/** The command whose name the words begin with; what follows the name is for the command itself. */
function findCommand(words: readonly string[]): Command {
  const found = COMMANDS.find((command) => wordsOf(command).every((word, place) => word === words[place]));
  if (found !== undefined) return found;
  const related = COMMANDS.filter((command) => wordsOf(command)[0] === words[0]).map(({ name }) => name);
  const hint = related.length === 0 ? '' : `; there are ${related.join(', ')}`;
  throw usage(`there is no command "${words.join(' ')}"${hint}`);
}

function wordsOf({ name }: Command): string[] {
  return name.split(' ');
}
