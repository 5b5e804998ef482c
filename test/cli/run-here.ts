import { vi } from 'vitest';
import { loadCommands } from '../../src/cli/command-table.ts';

/** Runs a command in this process and returns its output. */
export async function runHere(name: string, args: readonly string[]): Promise<string> {
  const command = (await loadCommands()).find((each) => each.name === name);
  if (command === undefined) throw new Error(`there is no command ${name}`);
  const printed: string[] = [];
  const out = vi.spyOn(process.stdout, 'write').mockImplementation((text) => printed.push(String(text)) > 0);
  try {
    await command.prepare(args)();
  } finally {
    out.mockRestore();
  }
  return printed.join('');
}
