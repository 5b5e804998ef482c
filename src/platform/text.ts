import { TerminalError } from './errors.ts';

/** Whether Postgres can store a text: it rejects NUL and lone surrogates. */
export function isStorable(text: string): boolean {
  return !/[\p{Surrogate}\0]/u.test(text);
}

/** Whether a text has no control characters and no lone surrogates: one line that can be shown. */
export function isPrintable(text: string): boolean {
  return !/[\p{Cc}\p{Surrogate}]/u.test(text);
}

/**
 * The text with each control character, lone surrogate and bidirectional control replaced: they
 * could control a terminal or reorder a line, and Postgres rejects some of them.
 */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Surrogate}\p{Bidi_Control}]/gu, '\ufffd');
}

/** Decodes percent escapes. Returns a text that is not percent-encoded, like `50%`, as it is. */
export function decodeOrKeep(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Throws a `TerminalError` with `code` for a text for customers that has a `directionProblem`;
 * `field` is what the request calls it.
 */
export function requireCustomerText(text: string, field: string, code = 'INVALID_REQUEST'): void {
  const problem = directionProblem(text);
  if (problem !== null) throw new TerminalError(code, `${field} ${problem}`, { field });
}

/**
 * The error about a bidirectional control (Unicode Standard Annex 9), as the end of a sentence that
 * begins with the field; null for a text without one. It would reorder the words that customers
 * see, and right-to-left scripts do not need it.
 */
export function directionProblem(text: string): string | null {
  const [found] = /\p{Bidi_Control}/u.exec(text) ?? [];
  if (found === undefined) return null;
  const name = `U+${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
  return `must not contain ${name}, which changes the direction of text; remove this invisible character`;
}

/** Replaces the five special characters of HTML by character references. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => REFERENCES[character] ?? '');
}

// Helpers

const REFERENCES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
