import type { LinkInfo } from '../../../../http/console/merchant/links/schemas.ts';

/** HTML of a button for a page of the shop: a link to the short address, without any script. */
export function buttonOf({ url, title }: Pick<LinkInfo, 'url' | 'title'>): string {
  return `<a href="${escapeHtml(url)}">${escapeHtml(`Pay for ${title}`)}</a>`;
}

// Helpers

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
