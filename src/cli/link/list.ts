import {
  type LinkPrice,
  type ListedLink,
  listLinks,
  type PaymentLink,
  priceText,
  shortAddress,
} from '../../links/index.ts';
import { loadConfig, publicUrlOf } from '../../platform/config/index.ts';
import { withMerchant } from '../key/context.ts';
import { printResult, tableText, timeText } from '../print.ts';
import type { LinkValues } from './commands.ts';

/** `quittance link list`: the links of a merchant, and which of them received too many payments. */
export async function linkList({ merchant, json }: LinkValues['list']): Promise<void> {
  const config = loadConfig(process.env);
  const publicUrl = publicUrlOf(config, config.port);
  const links = await withMerchant(merchant, (db, { id }) => listLinks(db, id));
  const result = links.map((link) => ({
    ...linkToJson(link),
    address: shortAddress(publicUrl, link),
    excess_transactions: link.excessTransactionIds,
  }));
  printResult(json, { links: result }, () => listText(links, merchant));
}

/** A link as JSON. Amounts are decimal strings in its currency. */
export function linkToJson({ price, ...link }: PaymentLink) {
  const { amount, min, max } = priceText(price);
  return {
    slug: link.slug,
    mode: link.mode,
    title: link.title,
    description: link.description,
    amount,
    min_amount: min,
    max_amount: max,
    currency: link.currency,
    cryptos: link.cryptos,
    success_url: link.successUrl,
    expires_at: timeText(link.expiresAt),
    max_uses: link.maxUses,
    uses: link.uses,
    excess_uses: link.excessUses,
    created_at: timeText(link.createdAt),
    closed_at: timeText(link.closedAt),
  };
}

// Helpers

const HEADINGS = ['SLUG', 'MODE', 'TITLE', 'PRICE', 'COINS', 'PAID', 'UNTIL', 'CLOSED'];

function listText(links: readonly ListedLink[], merchant: string): string {
  if (links.length === 0) return `"${merchant}" has no payment links.`;
  const rows = links.map((link) => [
    link.slug,
    link.mode,
    link.title,
    `${priceCell(link.price)} ${link.currency}`,
    link.cryptos.length === 0 ? 'all' : link.cryptos.join(' '),
    link.maxUses === null ? String(link.uses) : `${link.uses} of ${link.maxUses}`,
    timeText(link.expiresAt) ?? '-',
    timeText(link.closedAt) ?? '-',
  ]);
  const warnings = links
    .filter(({ excessUses }) => excessUses > 0)
    .map(({ slug, mode, excessUses, excessTransactionIds: ids }) => {
      return `${slug} (${mode}) was paid ${excessUses} times more than allowed: deliver, or refund ${ids.join(', ')}`;
    });
  return [tableText(HEADINGS, rows), ...warnings].join('\n');
}

function priceCell(price: LinkPrice): string {
  const { amount, min, max } = priceText(price);
  if (amount !== null) return amount;
  return min === null && max === null ? 'any' : `${min ?? ''}..${max ?? ''}`;
}
