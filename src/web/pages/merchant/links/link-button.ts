import type { LinkInfo } from '../../../../http/console/merchant/links/schemas.ts';

/** HTML of a button for a page of the shop: a link to the short address, without any script. */
export function buttonOf({ url, title }: Pick<LinkInfo, 'url' | 'title'>): string {
  return `<a href="${escapeHtml(url)}" style="${STYLE}">${escapeHtml(`Pay for ${title}`)}</a>`;
}

// Helpers

/** Inline, so that it looks like a button on a page without further styles. */
const STYLE =
  'display:inline-block;padding:12px 20px;border-radius:8px;background:#0b6e4f;color:#fff;font:600 16px/1.25 sans-serif;text-decoration:none';

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** For text and for quoted attribute values. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}
