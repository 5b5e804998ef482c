/**
 * Reads JSON with every number left as the text it was written as: `{"usd":1.10e-5}` becomes `{ usd: '1.10e-5' }`.
 * A double keeps 15 digits of a price and silently changes the rest. Throws a `SyntaxError` for what is not JSON
 * (RFC 8259), except that a bare number may be the name of a member.
 */
export function parseJsonKeepingNumbers(text: string): unknown {
  return JSON.parse(quoteNumbers(text));
}

/** A member of an object or, by its index, of an array. Undefined when there is none or `value` is neither. */
export function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return Reflect.get(value, name);
}

/** The elements of an array; none when it is not one. */
export function elementsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

// Helpers

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const [QUOTE, BACKSLASH, MINUS, ZERO, NINE] = [0x22, 0x5c, 0x2d, 0x30, 0x39];

/**
 * Outside strings a digit can only belong to a number, so quoting what the grammar calls a number changes nothing else,
 * and a number that breaks the grammar is left in pieces that the parser refuses. Goes through the text once: a regular
 * expression for strings takes time with the square of the length for an answer made to hurt it.
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

/** Where the string that opens at `start` is over. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at + 1;
}
