import { readFile } from 'node:fs/promises';
import { type Image, imageOf } from '../../images/index.ts';
import { closeLink, createLink, readPrice, shortAddress } from '../../links/index.ts';
import { loadConfig, publicUrlOf } from '../../platform/config/index.ts';
import { messageOf, TerminalError } from '../../platform/errors.ts';
import { changing, withMerchant } from '../key/context.ts';
import { printResult, timeText } from '../print.ts';
import type { LinkValues } from './commands.ts';
import { linkToJson } from './list.ts';

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
