import { parseArgs } from 'node:util';
import { messageOf, TerminalError } from '../errors.ts';

/** What was asked for on the command line. */
export type CommandLine =
  | { readonly name: 'help' }
  | { readonly name: 'version' }
  | { readonly name: 'serve'; readonly provision: string | null; readonly out: string | null }
  | { readonly name: 'provision'; readonly file: string; readonly out: string | null }
  | { readonly name: 'wallet advance'; readonly merchant: string; readonly crypto: string; readonly by: number };

/** Enough to jump over everything a busy shop handed out between a nightly backup and its loss. */
const DEFAULT_ADVANCE = 100;

/** Reads the arguments. Throws a `TerminalError` `USAGE` that says what is expected. */
export function parseCommandLine(args: readonly string[]): CommandLine {
  const { values, positionals } = parse(args);
  if (values.help === true) return { name: 'help' };
  if (values.version === true) return { name: 'version' };
  const [first, second, ...rest] = positionals;
  if (rest.length > 0) throw usage(`unexpected "${rest.join(' ')}"`);
  if (first === undefined || (first === 'serve' && second === undefined)) {
    return { name: 'serve', provision: values.provision ?? null, out: values.out ?? null };
  }
  if (first === 'help') return { name: 'help' };
  if (first === 'provision') {
    if (second === undefined) throw usage('provision needs a file: quittance provision FILE [--out SECRETS]');
    return { name: 'provision', file: second, out: values.out ?? null };
  }
  if (first === 'wallet' && second === 'advance') return walletAdvance(values);
  throw usage(`there is no command "${positionals.join(' ')}"`);
}

// Helpers

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean', short: 'v' },
        provision: { type: 'string' },
        out: { type: 'string' },
        merchant: { type: 'string' },
        crypto: { type: 'string' },
        by: { type: 'string' },
      },
    });
  } catch (error) {
    throw usage(messageOf(error));
  }
}

function walletAdvance(values: { merchant?: string; crypto?: string; by?: string }): CommandLine {
  const { merchant, crypto, by = String(DEFAULT_ADVANCE) } = values;
  if (merchant === undefined || crypto === undefined) {
    throw usage('wallet advance needs --merchant NAME and --crypto SYMBOL');
  }
  const count = Number(by);
  if (!Number.isSafeInteger(count) || count < 1 || count > 1_000_000) {
    throw usage('--by must be a whole number from 1 to 1000000');
  }
  return { name: 'wallet advance', merchant, crypto, by: count };
}

function usage(problem: string): TerminalError {
  return new TerminalError('USAGE', `${problem}\nRun "quittance --help" for the commands.`);
}
