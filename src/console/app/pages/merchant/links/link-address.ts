import type { LinkInfo } from '../../../../merchant/links/schemas.ts';
import { priceText } from './link-labels.ts';

/**
 * Placeholder in a URL until the merchant enters a key. Only hashes of keys are stored, so none can
 * be shown again.
 */
export const KEY_PLACEHOLDER = 'YOUR_PUBLISHABLE_KEY';

export interface Sharing {
  readonly payUrl: string;
  /** The merchant's publishable key, or the placeholder. */
  readonly publishableKey: string;
  /** The coin to pay with, like `BTC`. */
  readonly crypto: string;
  /** Decimal text; ignored for a fixed price. */
  readonly amount: string;
}

/** Whether a text looks like a publishable key of the mode. */
export function isPublishableKey(text: string, mode: 'live' | 'test'): boolean {
  return text.startsWith(`pk_${mode}_`) && /^[\w-]{12,200}$/.test(text);
}

/** The URL that starts a payment of the link. */
export function addressOf({ slug, price }: LinkInfo, { payUrl, publishableKey, crypto, amount }: Sharing): string {
  // With a fixed price, the amount is required and ignored.
  const asked = price.kind === 'fixed' ? price.amount : amount;
  return `${payUrl}?${new URLSearchParams({ pk: publishableKey, link: slug, amount: asked, crypto })}`;
}

/**
 * HTML for a page of the shop: a link when nothing is left to choose, otherwise a form in which
 * shoppers choose coin and amount.
 */
export function snippetOf(link: LinkInfo, sharing: Sharing, coins: readonly string[]): string {
  const label = escapeHtml(`Pay for ${link.title}`);
  if (link.price.kind === 'fixed' && coins.length < 2) {
    return `<a href="${escapeHtml(addressOf(link, sharing))}">${label}</a>`;
  }
  return [
    `<form action="${escapeHtml(sharing.payUrl)}" method="get">`,
    ...[
      ['pk', sharing.publishableKey],
      ['link', link.slug],
      ...(link.price.kind === 'fixed' ? [['amount', link.price.amount] as const] : []),
      ...(coins.length === 1 ? [['crypto', coins[0] ?? ''] as const] : []),
    ].map(([name = '', value = '']) => `  <input type="hidden" name="${name}" value="${escapeHtml(value)}">`),
    ...(link.price.kind === 'open'
      ? [
          `  <label>Amount (${escapeHtml(priceText(link.price, link.currency))})`,
          '    <input name="amount" inputmode="decimal" required></label>',
        ]
      : []),
    ...(coins.length > 1
      ? [
          '  <label>Pay with',
          '    <select name="crypto">',
          ...coins.map((coin) => `      <option>${escapeHtml(coin)}</option>`),
          '    </select></label>',
        ]
      : []),
    `  <button>${label}</button>`,
    '</form>',
  ].join('\n');
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
