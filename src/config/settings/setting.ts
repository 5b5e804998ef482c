import type { Parser } from '../parsers.ts';

/** One environment variable: what `--help` and the documentation print, and how it is read. */
export interface Setting<T> {
  readonly name: string;
  /** What an unset variable stands for: the text that is read then, or, in brackets, a description of it. */
  readonly fallback: string;
  readonly description: string;
  /** Its value may hold credentials and is never repeated in a message. */
  readonly isSecret: boolean;
  readonly parse: Parser<T>;
}

/** One whose value may be shown. */
export function setting<T>(name: string, fallback: string, description: string, parse: Parser<T>): Setting<T> {
  return { name, fallback, description, isSecret: false, parse };
}

/** One that may hold credentials. */
export function secret<T>(name: string, fallback: string, description: string, parse: Parser<T>): Setting<T> {
  return { name, fallback, description, isSecret: true, parse };
}
