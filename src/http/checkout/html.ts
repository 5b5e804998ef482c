import { escapeHtml } from '../../platform/text.ts';

/**
 * HTML by tagged template. Every value is escaped, except markup created by the same tag, so that
 * text of merchants or customers cannot become markup: no string can be marked as safe. Attribute
 * values must be in double quotes, where the same escaping applies.
 */
export interface Html {
  readonly [MARKUP]: string;
}

/** A template value. Null renders as nothing. */
export type HtmlValue = string | number | Html | readonly Html[] | null;

/** A symbol, which JSON cannot contain, so that parsed data can never pass for markup. */
const MARKUP = Symbol('markup');

/** Markup from a template, with every value escaped. */
export function html(strings: TemplateStringsArray, ...pieces: readonly HtmlValue[]): Html {
  const text = strings.reduce((before, string, index) => before + markupOfPiece(pieces[index - 1] ?? null) + string);
  return { [MARKUP]: text };
}

export function markupOf(fragment: Html): string {
  return fragment[MARKUP];
}

/**
 * The URL of a link, if it is absolute http or https; null for anything
 * else, notably `javascript:`.
 */
export function httpUrlOf(text: string | null): string | null {
  if (text === null || !URL.canParse(text)) return null;
  const url = new URL(text);
  return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : null;
}

// Helpers

function markupOfPiece(piece: HtmlValue): string {
  if (piece === null) return '';
  if (typeof piece === 'string') return escapeHtml(piece);
  if (typeof piece === 'number') return String(piece);
  if (isMany(piece)) return piece.map(markupOf).join('');
  return markupOf(piece);
}

function isMany(piece: Html | readonly Html[]): piece is readonly Html[] {
  return Array.isArray(piece);
}
