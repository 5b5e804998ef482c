/**
 * HTML by tagged template. Whatever is put into a template is escaped, except markup made by this same tag, so
 * text of a merchant or customer cannot become markup: there is no way to declare a string safe. Attribute
 * values must stand in double quotes; inside them the same escaping holds.
 */
export interface Html {
  readonly [MARKUP]: string;
}

/** What a template takes. Null stands for nothing at all. */
export type Piece = string | number | Html | readonly Html[] | null;

/** A symbol, because JSON cannot carry one: parsed data can never pass for markup. */
const MARKUP = Symbol('markup');

/** Markup from a template, with every piece escaped. */
export function html(strings: TemplateStringsArray, ...pieces: readonly Piece[]): Html {
  const text = strings.reduce((before, string, index) => before + markupOfPiece(pieces[index - 1] ?? null) + string);
  return { [MARKUP]: text };
}

/** The finished text. */
export function markupOf(fragment: Html): string {
  return fragment[MARKUP];
}

/** Text with the five characters that mean something in HTML replaced by references. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => REFERENCES[character] ?? '');
}

/** A link a page may carry: absolute http or https. Everything else, `javascript:` above all, gives null. */
export function httpUrlOf(text: string | null): string | null {
  if (text === null || !URL.canParse(text)) return null;
  const url = new URL(text);
  return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : null;
}

// Helpers

const REFERENCES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function markupOfPiece(piece: Piece): string {
  if (piece === null) return '';
  if (typeof piece === 'string') return escapeHtml(piece);
  if (typeof piece === 'number') return String(piece);
  if (isMany(piece)) return piece.map(markupOf).join('');
  return markupOf(piece);
}

function isMany(piece: Html | readonly Html[]): piece is readonly Html[] {
  return Array.isArray(piece);
}
