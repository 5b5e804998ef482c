import { readFile } from 'node:fs/promises';
import { type Image, imageOf } from '../../images/index.ts';
import {
  closeLink,
  createLink,
  type LinkPrice,
  type ListedLink,
  listLinks,
  type PaymentLink,
  priceText,
  readPrice,
  shortAddress,
} from '../../links/index.ts';
import { loadConfig, publicUrlOf } from '../../platform/config/index.ts';
import { messageOf, TerminalError } from '../../platform/errors.ts';
import { changing, withMerchant } from '../key/context.ts';
import { printResult, tableText, timeText } from '../print.ts';
import type { LinkValues } from './commands.ts';

/** `quittance link create`: creates a payment link and prints its address. */
export async function linkCreate(options: LinkValues['create']): Promise<void> {
  const config = loadConfig(process.env);
  const { title, description, mode, slug, currency, cryptos, json } = options;
  const terms = {
    price: readPrice({ amount: options.amount, min: options.min, max: options.max, names: OPTIONS }),
    maxUses: usesOf(options),
    expiresAt: options.until,
    successUrl: options.success,
  };
  const image = options.image === null ? null : await imageIn(options.image);
  const link = await withMerchant(options.merchant, (db, { id: merchantId }) => {
    const named = { merchantId, mode, slug, title, description, image, currency, cryptos };
    return changing(db, (change) => createLink(change, { ...named, ...terms }));
  });
  const address = shortAddress(publicUrlOf(config, config.port), link);
  printResult(json, { ...linkToJson(link), address }, () => `Link ${link.slug} created:\n${address}`);
}

/** `quittance link close`: the link accepts no new payments. */
export async function linkClose({ merchant, slug, mode, json }: LinkValues['close']): Promise<void> {
  const link = await withMerchant(merchant, (db, { id: merchantId }) =>
    changing(db, (change) => closeLink(change, { merchantId, mode, slug })),
  );
  printResult(json, linkToJson(link), () => {
    return `Link ${slug} (${mode}) closed at ${timeText(link.closedAt)}. Open payments can still be paid.`;
  });
}

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

// Helpers

async function imageIn(path: string): Promise<Image> {
  const bytes = await readFile(path).catch((error: unknown) => {
    throw new TerminalError('INVALID_LINK', `--image: ${path} cannot be read: ${messageOf(error)}`);
  });
  return imageOf(bytes, '--image');
}

const OPTIONS = { amount: '--amount', min: '--min', max: '--max' };

function usesOf({ once, uses }: LinkValues['create']): number | null {
  if (!once) return uses;
  if (uses === null) return 1;
  throw new TerminalError('INVALID_LINK', 'Pass --once or --uses, not both');
}

/** A link as JSON. Amounts are decimal strings in its currency. */
function linkToJson({ price, ...link }: PaymentLink) {
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
