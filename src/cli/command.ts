import { parseArgs } from 'node:util';
import { messageOf } from '../platform/errors.ts';
import { type Option, type Options, usage, type ValuesOf } from './options.ts';

/** One command: its help text and how to run it. */
export interface Command {
  /** The words of its name, like `chain status`. */
  readonly name: string;
  readonly summary: string;
  readonly options: Options;
  /**
   * Parses what follows the command's name and returns a function that runs the command. Throws a
   * `TerminalError` `USAGE`.
   */
  prepare(args: readonly string[]): () => Promise<void>;
}

/** Defines a command whose `run` receives the typed values of its options. */
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

/** How an option or operand is written in messages: `--crypto` or `FILE`. */
export function shownName(name: string, option: Option<unknown>): string {
  return option.kind === 'operand' ? option.placeholder : `--${name}`;
}

// Helpers

function readValues<O extends Options>(command: string, options: O, args: readonly string[]): ValuesOf<O> {
  const entries = Object.entries(options);
  const operands = entries.filter(([, { kind }]) => kind === 'operand').map(([name]) => name);
  const { values, positionals } = parse(command, options, args);
  const [unexpected] = positionals.slice(operands.length);
  if (unexpected !== undefined) throw usage(`${command}: unexpected argument "${unexpected}"`);
  const given = entries.map(([name, option]) => {
    const text = option.kind === 'operand' ? positionals[operands.indexOf(name)] : values[name];
    return [name, option.read(text, `${command}: ${shownName(name, option)}`)];
  });
  // `Object.fromEntries` loses which name has which type.
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
    throw usage(`${command}: ${messageOf(error).split('. ')[0]}; it accepts ${taken === '' ? 'no options' : taken}`);
  }
}

/** `parseArgs` returns `true` for a flag; options read text. */
function asString(value: unknown): string | undefined {
  return typeof value === 'string' ? value : value === true ? 'true' : undefined;
}
