import { TerminalError } from '../platform/errors.ts';

/**
 * One argument of a command: an option (`--crypto LTC`), a flag (`--json`) or an operand (`FILE`).
 */
export interface Option<T> {
  readonly kind: 'option' | 'flag' | 'operand';
  /** Stands for the value in the help; empty for a flag. */
  readonly placeholder: string;
  readonly isRequired: boolean;
  readonly description: string;
  /**
   * `text` is undefined when the argument is missing; `shown` names it in messages. Throws a
   * `TerminalError` `USAGE`.
   */
  read(text: string | undefined, shown: string): T;
}

/** The arguments of a command by their names on the command line. */
export type Options = Readonly<Record<string, Option<unknown>>>;
export type ValuesOf<O extends Options> = { readonly [K in keyof O]: O[K] extends Option<infer T> ? T : never };

/** The values of the options of several commands, by command. */
export type ValuesOfAll<G extends Readonly<Record<string, Options>>> = { readonly [C in keyof G]: ValuesOf<G[C]> };

/** Parses text. The problem passed to `reject` completes a sentence that begins with the option. */
type Reader<T> = (text: string, reject: (problem: string) => never) => T;

export function flag(description: string): Option<boolean> {
  return { kind: 'flag', placeholder: '', isRequired: false, description, read: (text) => text !== undefined };
}

export function required<T = string>(placeholder: string, description: string, reader: Reader<T>): Option<T> {
  return valueOption('option', placeholder, description, reader);
}

export function operand(placeholder: string, description: string): Option<string> {
  return valueOption('operand', placeholder, description, asText);
}

/** Makes an option optional, with `fallback` as its default. */
export function optional<T, const F>(
  placeholder: string,
  description: string,
  reader: Reader<T>,
  fallback: F,
): Option<T | F> {
  return {
    kind: 'option',
    placeholder,
    isRequired: false,
    description,
    read: (text, shown) => (text === undefined ? fallback : reader(text, rejection(shown))),
  };
}

export const asText: Reader<string> = (text, reject) => (text === '' ? reject('must not be empty') : text);

export function asWholeNumber(min: number, max: number): Reader<number> {
  return (text, reject) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    return value >= min && value <= max ? value : reject(`must be a whole number from ${min} to ${max}`);
  };
}

export function asOneOf<const T extends string>(choices: readonly T[]): Reader<T> {
  return (text, reject) => choices.find((choice) => choice === text) ?? reject(`must be one of ${choices.join(', ')}`);
}

export const json = flag('Prints JSON instead of text.');

export const merchant = required('NAME', 'The merchant, as in the provisioning file.', asText);

/** The error for a command line that cannot be parsed. The message says what is expected. */
export function usage(problem: string): TerminalError {
  return new TerminalError('USAGE', `${problem}\nRun "quittance --help" for the commands.`);
}

// Helpers

function valueOption<T>(
  kind: 'option' | 'operand',
  placeholder: string,
  description: string,
  reader: Reader<T>,
): Option<T> {
  return {
    kind,
    placeholder,
    isRequired: true,
    description,
    read(text, shown) {
      if (text === undefined) throw usage(`${shown} is missing: ${description}`);
      return reader(text, rejection(shown));
    },
  };
}

function rejection(shown: string): (problem: string) => never {
  return (problem) => {
    throw usage(`${shown} ${problem}`);
  };
}
