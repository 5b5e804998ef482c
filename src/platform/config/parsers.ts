import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { messageOf } from '../errors.ts';
import type { Cidr } from './cidr.ts';
import { parseCidr } from './cidr.ts';

/** A value, or a problem phrased as the end of a sentence that starts with the setting's name. */
export type Parsed<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string };
/** Parses a setting's trimmed, non-empty text. A problem never quotes it: it may be secret. */
export type Parser<T> = (text: string) => Parsed<T>;

export function wholeNumber(min: number, max: number): Parser<number> {
  return (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    return value >= min && value <= max ? good(value) : bad(`must be a whole number from ${min} to ${max}`);
  };
}

/** A fraction from 0 to 1, as a decimal number. */
export const share: Parser<number> = (text) => {
  const value = /^\d(?:\.\d{1,6})?$/.test(text) ? Number(text) : Number.NaN;
  return value <= 1 ? good(value) : bad('must be a number from 0 to 1, such as 0.1');
};

/** A number of days, or null for `never`. */
export function daysOrNever(min: number): Parser<number | null> {
  return (text) => {
    if (text === 'never') return good(null);
    const parsed = wholeNumber(min, MAX_DAYS)(text);
    return parsed.ok ? parsed : bad(`must be a whole number of days from ${min} to ${MAX_DAYS}, or never`);
  };
}

/** A hundred years. */
const MAX_DAYS = 36_500;

export function oneOf<const T extends string>(choices: readonly T[]): Parser<T> {
  return (text) => {
    const found = choices.find((choice) => choice === text);
    return found === undefined ? bad(`must be one of ${choices.join(', ')}`) : good(found);
  };
}

/** A comma-separated, non-empty subset of the choices, without duplicates. */
export function someOf<const T extends string>(choices: readonly T[]): Parser<readonly T[]> {
  const parseOne = oneOf(choices);
  return (text) => {
    const values: T[] = [];
    for (const word of wordsOf(text)) {
      const parsed = parseOne(word);
      if (!parsed.ok) return bad(`must be a comma-separated list of ${choices.join(', ')}`);
      if (!values.includes(parsed.value)) values.push(parsed.value);
    }
    return values.length === 0 ? bad(`must contain at least one of ${choices.join(', ')}`) : good(values);
  };
}

export const trueOrFalse: Parser<boolean> = (text) => {
  if (text === 'true') return good(true);
  return text === 'false' ? good(false) : bad('must be true or false');
};

export const path: Parser<string> = (text) => good(resolve(text));

export const hostName: Parser<string> = (text) =>
  isIP(text) !== 0 || /^[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/.test(text)
    ? good(text)
    : bad('must be an IP address or a host name without a port, such as 127.0.0.1');

export const subjectToken: Parser<string> = (text) =>
  /^[A-Za-z0-9_-]{1,32}$/.test(text) ? good(text) : bad('must be 1 to 32 letters, digits, "-" or "_"');

/** A URL with one of the schemes; credentials are allowed. Returns the text unchanged. */
export function url(schemes: readonly string[], example: string): Parser<string> {
  return (text) => {
    const parsed = URL.canParse(text) ? new URL(text) : null;
    // PostgreSQL over a Unix socket has no host: postgres:///quittance?host=/run/postgresql.
    const hasHost = parsed !== null && (parsed.hostname !== '' || parsed.searchParams.has('host'));
    return hasHost && schemes.includes(parsed.protocol) ? good(text) : bad(`must be a URL such as ${example}`);
  };
}

/** A ZeroMQ endpoint: exactly `tcp://host:port`. */
export const tcpEndpoint: Parser<string> = (text) => {
  const parsed = URL.canParse(text) ? new URL(text) : null;
  const isEndpoint =
    parsed !== null &&
    parsed.hostname !== '' &&
    parsed.port !== '' &&
    text === `tcp://${parsed.hostname}:${parsed.port}`;
  return isEndpoint ? good(text) : bad('must have the form tcp://127.0.0.1:28332');
};

/** A value and the file it came from; null when the setting itself contains it. */
export interface Located<T> {
  readonly value: T;
  readonly file: string | null;
}

/** Inline JSON if the text starts with a brace, else the path of a JSON file. */
export function jsonOrFile<T>(parse: Parser<T>): Parser<Located<T>> {
  return (text) => {
    if (text.startsWith('{')) return mapped(parse, (value) => ({ value, file: null }))(text);
    const file = resolve(text);
    let json: string;
    try {
      json = readFileSync(file, 'utf8');
    } catch (error) {
      return bad(`must be a JSON object or the path of a readable file with one (${messageOf(error)})`);
    }
    const parsed = parse(json);
    return parsed.ok ? good({ value: parsed.value, file }) : bad(`is the path of a file that ${parsed.problem}`);
  };
}

/** A parser that maps the parsed value through `change`. */
export function mapped<T, U>(parse: Parser<T>, change: (value: T) => U): Parser<U> {
  return (text) => {
    const parsed = parse(text);
    return parsed.ok ? good(change(parsed.value)) : parsed;
  };
}

/** A base URL without credentials, query or fragment, because paths are appended to it. */
export const baseUrl: Parser<string> = (text) => {
  const parsed = URL.canParse(text) ? new URL(text) : null;
  const isHttp = parsed !== null && /^https?:$/.test(parsed.protocol);
  if (!isHttp || parsed.username !== '' || parsed.password !== '' || /[?#]/.test(text)) {
    return bad('must be an http or https URL without credentials, query or fragment, such as https://pay.example.com');
  }
  return good(parsed.href.replace(/\/+$/, ''));
};

/** Comma-separated CIDR blocks. Rejects prefix length 0 unless `allowAny` is true. */
export function cidrs({ allowAny }: { readonly allowAny: boolean }): Parser<readonly Cidr[]> {
  return (text) => {
    const values = wordsOf(text).map((word) => ({ word, cidr: parseCidr(word) }));
    const wrong = values.filter(({ cidr }) => cidr === null).map(({ word }) => JSON.stringify(word));
    if (wrong.length > 0) {
      return bad(`has ${wrong.join(', ')}, which is not an address block; use forms such as 10.0.0.0/8, fd00::/8`);
    }
    const parsed = values.flatMap(({ cidr }) => (cidr === null ? [] : [cidr]));
    if (!allowAny && parsed.some(({ prefixBits }) => prefixBits === 0)) {
      return bad('must not contain every address: any client could then spoof its address; list your proxies');
    }
    return good(parsed);
  };
}

/** Comma-separated TCP ports. */
export const ports: Parser<readonly number[]> = (text) => {
  const parsed = wordsOf(text).map((word) => wholeNumber(1, 65_535)(word));
  const numbers = parsed.flatMap((each) => (each.ok ? [each.value] : []));
  return numbers.length === parsed.length ? good(numbers) : bad('must be port numbers from 1 to 65535, such as 81,591');
};

/** 32 bytes as 64 hex digits, base64 or base64url. */
export const secretKey: Parser<Uint8Array> = (text) => {
  const isHex = /^[0-9a-fA-F]{64}$/.test(text);
  const isBase64 = /^(?:[A-Za-z0-9+/]{43}=?|[A-Za-z0-9_-]{43}=?)$/.test(text);
  if (!isHex && !isBase64)
    return bad('must be 32 random bytes in hex or base64; generate it with `openssl rand -hex 32`');
  return good(new Uint8Array(Buffer.from(text, isHex ? 'hex' : 'base64')));
};

/** A JSON object. `example`: how to write it, as the end of a problem. */
export function jsonObject(text: string, example: string): Parsed<object> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return bad(`is not valid JSON (${messageOf(error)}); ${example}`);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return good(value);
  return bad(`must be a JSON object; ${example}`);
}

export function good<T>(value: T): Parsed<T> {
  return { ok: true, value };
}

export function bad(problem: string): { readonly ok: false; readonly problem: string } {
  return { ok: false, problem };
}

function wordsOf(text: string): string[] {
  return text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}
