import { describeSettings } from '../config/index.ts';
import { VERSION } from '../version.ts';
import { type Command, shownName } from './command.ts';
import { COMMANDS } from './command-table.ts';

/** The text of `quittance --help`. */
export function helpText(): string {
  return `quittance ${VERSION}: cryptocurrency payments straight into the merchant's own wallet

Commands
${COMMANDS.map(describeCommand).join('\n')}
  quittance --help, --version

Settings (environment)
${describeSettings()}`;
}

export function versionLine(): string {
  return `quittance ${VERSION}`;
}

// Helpers

const NAME_COLUMN = 22;

function describeCommand({ name, summary, options }: Command): string {
  const entries = Object.entries(options);
  const usage = entries.map(([option, spec]) => {
    const value = spec.kind === 'option' ? ` ${spec.placeholder}` : '';
    const written = `${shownName(option, spec)}${value}`;
    return spec.isRequired ? written : `[${written}]`;
  });
  return [
    `  ${['quittance', name, ...usage].join(' ')}`,
    `      ${summary}`,
    ...entries.map(([option, spec]) => `        ${shownName(option, spec).padEnd(NAME_COLUMN - 6)}${spec.description}`),
  ].join('\n');
}
