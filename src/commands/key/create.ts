import { createKey } from '../../merchants/index.ts';
import { printResult } from '../print.ts';
import type { KeyValues } from './commands.ts';
import { changing, withMerchant } from './context.ts';
import { handedOutJson, handedOutText, handOut, keyJson } from './show-once.ts';

/** `quittance key create`: creates a key for a merchant. */
export async function keyCreate(wanted: KeyValues['create']): Promise<void> {
  const { merchant: merchantName, name, out, json } = wanted;
  const kind = wanted.kind.startsWith('sk') ? 'secret' : 'publishable';
  const mode = wanted.kind.endsWith('live') ? 'live' : 'test';
  const issued = await withMerchant(merchantName, (db, { id: merchantId }) =>
    handOut(out, (keep) =>
      changing(db, async (change) => {
        const oneOpenPaymentPerIp = wanted['one-open-payment'];
        const made = await createKey(change, { merchantId, kind, mode, name, oneOpenPaymentPerIp });
        await keep(keyJson(made));
        return made;
      }),
    ),
  );
  printResult(json, handedOutJson(out, issued), () => `New key ${issued.id}\n${handedOutText(out, issued)}`);
}
