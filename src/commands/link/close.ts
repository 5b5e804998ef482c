import { closeLink } from '../../links/index.ts';
import { changing, withMerchant } from '../key/context.ts';
import { printResult, timeText } from '../print.ts';
import type { LinkValues } from './commands.ts';
import { linkToJson } from './link-json.ts';

/** `quittance link close`: the link accepts no new payments. */
export async function linkClose({ merchant, slug, mode, json }: LinkValues['close']): Promise<void> {
  const link = await withMerchant(merchant, (db, { id: merchantId }) =>
    changing(db, (change) => closeLink(change, { merchantId, mode, slug })),
  );
  printResult(json, linkToJson(link), () => {
    return `The link ${slug} (${mode}) is closed since ${timeText(link.closedAt)}. Payments that are open can still be paid.`;
  });
}
