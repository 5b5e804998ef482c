import { bad, good, type Parser } from '../parsers.ts';

/** One environment variable: its documentation (also for `--help`) and its parser. */
export interface Setting<T> {
  readonly name: string;
  /** The default as text to parse or, in parentheses, a description of the default behaviour. */
  readonly fallback: string;
  readonly description: string;
  /** The value may contain credentials and is never quoted in a message. */
  readonly isSecret: boolean;
  readonly parse: Parser<T>;
}

/** A setting whose value may be shown. */
export function setting<T>(name: string, fallback: string, description: string, parse: Parser<T>): Setting<T> {
  return { name, fallback, description, isSecret: false, parse };
}

/** A setting that may contain credentials. */
export function secret<T>(name: string, fallback: string, description: string, parse: Parser<T>): Setting<T> {
  return { name, fallback, description, isSecret: true, parse };
}

/** A token of printable ASCII without spaces, because it is sent in an HTTP header. */
export function token(minCharacters: number): Parser<string> {
  return (text) => {
    if (/^[\x21-\x7e]{1,512}$/.test(text) && text.length >= minCharacters) return good(text);
    return bad(
      `must have ${minCharacters} to 512 printable ASCII characters and no spaces; generate it with \`openssl rand -hex 32\``,
    );
  };
}
