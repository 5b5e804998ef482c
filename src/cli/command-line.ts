import type { Command } from './command.ts';
import { COMMAND_GROUPS, DEFAULT_COMMAND } from './command-table.ts';
import { usage } from './options.ts';

export type CommandLine =
  | { readonly kind: 'help' }
  | { readonly kind: 'version' }
  | { readonly kind: 'run'; readonly name: string; readonly run: () => Promise<void> };

/** Parses the arguments. Throws a `TerminalError` `USAGE` that says what is expected. */
export async function parseCommandLine(args: readonly string[]): Promise<CommandLine> {
  if (args[0] === 'help' || args.includes('--help') || args.includes('-h')) return { kind: 'help' };
  if (args.includes('--version') || args.includes('-v')) return { kind: 'version' };
  const optionsBegin = args.findIndex((arg) => arg.startsWith('-'));
  const words = optionsBegin === -1 ? args : args.slice(0, optionsBegin);
  const command = words.length === 0 ? DEFAULT_COMMAND : await findCommand(words);
  const rest = words.length === 0 ? args : args.slice(wordsOf(command).length);
  return { kind: 'run', name: command.name, run: command.prepare(rest) };
}

// Helpers

/** The command whose name matches the first words. The words after the name are its arguments. */
async function findCommand(words: readonly string[]): Promise<Command> {
  const related = (await COMMAND_GROUPS.find(({ word }) => word === words[0])?.load()) ?? [];
  const found = related.find((command) => wordsOf(command).every((word, index) => word === words[index]));
  if (found !== undefined) return found;
  const hint = related.length === 0 ? '' : `; choose from ${related.map(({ name }) => name).join(', ')}`;
  throw usage(`there is no command "${words.join(' ')}"${hint}`);
}

function wordsOf({ name }: Command): string[] {
  return name.split(' ');
}
