import { describeSettings } from '../platform/config/index.ts';
import { VERSION } from '../platform/version.ts';
import { type Command, shownName } from './command.ts';
import { loadCommands } from './command-table.ts';

export async function helpText(): Promise<string> {
  const commands = await loadCommands();
  return `quittance ${VERSION}: cryptocurrency payments straight into the merchant's own wallet

Commands
${commands.map(describeCommand).join('\n')}
  quittance --help, --version

Settings (environment)
${describeSettings()}`;
}

// Helpers

const NAME_COLUMN = 22;
const USAGE_COLUMNS = 110;

function describeCommand({ name, summary, options }: Command): string {
  const entries = Object.entries(options);
  const usage = entries.map(([option, spec]) => {
    const value = spec.kind === 'option' ? ` ${spec.placeholder}` : '';
    const written = `${shownName(option, spec)}${value}`;
    return spec.isRequired ? written : `[${written}]`;
  });
  return [
    ...wrapUsage(`  quittance ${name}`, usage),
    `      ${summary}`,
    ...entries.map(
      ([option, spec]) => `        ${shownName(option, spec).padEnd(NAME_COLUMN - 7)} ${spec.description}`,
    ),
  ].join('\n');
}

/** One line, or several when it has too many options for one. */
function wrapUsage(command: string, options: readonly string[]): string[] {
  const lines = [command];
  for (const option of options) {
    const last = lines.length - 1;
    const longer = `${lines[last]} ${option}`;
    if (longer.length <= USAGE_COLUMNS) lines[last] = longer;
    else lines.push(`      ${option}`);
  }
  return lines;
}
