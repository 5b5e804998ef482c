import { parseArgs } from 'node:util';
import { messageOf } from '../errors.ts';
import { type Option, type Options, usage, type ValuesOf } from './options.ts';

/** One command: what the help says of it, and what it does. */
export interface Command {
  /** Its words, like `chain status`. */
  readonly name: string;
  readonly summary: string;
  readonly options: Options;
  /** Reads what follows the command's name. Throws a `TerminalError` `USAGE`; what is returned does the work. */
  prepare(args: readonly string[]): () => Promise<void>;
}

/** Ties the options of a command to the function that takes their values. */
export function defineCommand<const O extends Options>(spec: {
  readonly name: string;
  readonly summary: string;
  readonly options: O;
  readonly run: (values: ValuesOf<O>) => Promise<void>;
}): Command {
  const { name, summary, options, run } = spec;
  return {
    name,
    summary,
    options,
    prepare(args) {
      const values = readValues(name, options, args);
      return () => run(values);
    },
  };
}

/** How a value is named where it is written: `--crypto` or `FILE`. */
export function shownName(name: string, option: Option<unknown>): string {
  return option.kind === 'operand' ? option.placeholder : `--${name}`;
}

// Helpers

function readValues<O extends Options>(command: string, options: O, args: readonly string[]): ValuesOf<O> {
  const entries = Object.entries(options);
  const operands = entries.filter(([, { kind }]) => kind === 'operand').map(([name]) => name);
  const { values, positionals } = parse(command, options, args);
  const [unexpected] = positionals.slice(operands.length);
  if (unexpected !== undefined) throw usage(`"${command}" does not know what "${unexpected}" is`);
  const given = entries.map(([name, option]) => {
    const text = option.kind === 'operand' ? positionals[operands.indexOf(name)] : values[name];
    return [name, option.read(text, `${command}: ${shownName(name, option)}`)];
  });
  // The only place where the type is lost: entries forget which name had which value.
  return Object.fromEntries(given) as ValuesOf<O>;
}

function parse(
  command: string,
  options: Options,
  args: readonly string[],
): { values: Readonly<Record<string, string | undefined>>; positionals: readonly string[] } {
  const known = Object.entries(options).filter(([, { kind }]) => kind !== 'operand');
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: Object.fromEntries(
        known.map(([name, { kind }]) => [name, { type: kind === 'flag' ? 'boolean' : 'string' } as const]),
      ),
    });
    return {
      values: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, asString(value)])),
      positionals,
    };
  } catch (error) {
    const taken = known.map(([name, option]) => shownName(name, option)).join(', ');
    throw usage(`${command}: ${messageOf(error).split('. ')[0]}; it takes ${taken === '' ? 'no options' : taken}`);
  }
}

/** A flag that is there is a text like any other. */
function asString(value: unknown): string | undefined {
  return typeof value === 'string' ? value : value === true ? 'true' : undefined;
}
