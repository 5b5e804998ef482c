/**
 * Parses JSON and keeps numbers as their source text: `{"usd":1.10e-5}` becomes
 * `{ usd: '1.10e-5' }`. A double keeps 15 digits of a price and silently changes the rest. Throws a
 * `SyntaxError` for invalid JSON (RFC 8259), but accepts an unquoted number as a member name.
 */
export function parseJsonKeepingNumbers(text: string): unknown {
  return JSON.parse(quoteNumbers(text));
}

/** An own member of an object, or an array element by index; undefined when there is none. */
export function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return Reflect.get(value, name);
}

/** The elements of an array; empty for any other value. */
export function elementsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

// Helpers

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const [QUOTE, BACKSLASH, MINUS, ZERO, NINE] = [0x22, 0x5c, 0x2d, 0x30, 0x39];

/**
 * Outside strings, digits occur only in numbers, so quoting every valid number changes nothing
 * else, and an invalid number is split into pieces that the parser rejects. Scans the text once: a
 * regular expression for strings would take quadratic time on malicious input.
 */
function quoteNumbers(text: string): string {
  const pieces: string[] = [];
  let written = 0;
  let at = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(text, at);
      continue;
    }
    NUMBER.lastIndex = at;
    const isNumber = (code === MINUS || (code >= ZERO && code <= NINE)) && NUMBER.test(text);
    if (isNumber) {
      pieces.push(text.slice(written, at), '"', text.slice(at, NUMBER.lastIndex), '"');
      written = NUMBER.lastIndex;
    }
    at = isNumber ? written : at + 1;
  }
  return pieces.join('') + text.slice(written);
}

/** The index after the end of the string that starts at `start`. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at + 1;
}
