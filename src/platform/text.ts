/** Whether Postgres can store a text: it rejects NUL and lone surrogates. */
export function isStorable(text: string): boolean {
  return !/[\p{Surrogate}\0]/u.test(text);
}

/** Whether a text has no control characters and no lone surrogates: one line that can be shown. */
export function isPrintable(text: string): boolean {
  return !/[\p{Cc}\p{Surrogate}]/u.test(text);
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
