import { HOUR_MS } from '../../../machines/index.ts';
import { rotateKey } from '../../merchants/index.ts';
import { printResult } from '../print.ts';
import type { KeyValues } from './commands.ts';
import { changing, withMerchant } from './context.ts';
import { handedOutJson, handedOutText, handOut, keyJson } from './show-once.ts';

/**
 * `quittance key rotate`: replaces a key. The old one stops working immediately or after some
 * hours.
 */
export async function keyRotate({
  merchant: merchantName,
  key: keyId,
  overlap,
  out,
  json,
}: KeyValues['rotate']): Promise<void> {
  const issued = await withMerchant(merchantName, (db, { id: merchantId }) =>
    handOut(out, (keep) =>
      changing(db, async (change) => {
        const made = await rotateKey(change, { merchantId, keyId, overlapMs: overlap * HOUR_MS });
        await keep(keyJson(made));
        return made;
      }),
    ),
  );
  const old = overlap === 0 ? 'does not work any more' : `works for another ${overlap} h`;
  printResult(json, handedOutJson(out, issued), () =>
    [`New key ${issued.id}; ${keyId} ${old}`, handedOutText(out, issued)].join('\n'),
  );
}
