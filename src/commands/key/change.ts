import { changeKey, type KeyChanges } from '../../merchants/index.ts';
import { usage } from '../options.ts';
import { printResult } from '../print.ts';
import type { KeyValues } from './commands.ts';
import { changing, withMerchant } from './context.ts';

/**
 * `quittance key change`: its name, and whether one client address may have several open payments.
 */
export async function keyChange(wanted: KeyValues['change']): Promise<void> {
  const { merchant: merchantName, key: keyId, name, json } = wanted;
  const oneOpen = wanted['one-open-payment'];
  if (name === null && oneOpen === null) throw usage('key change: say what: --name or --one-open-payment');
  const changes: KeyChanges = {
    ...(name === null ? {} : { name }),
    ...(oneOpen === null ? {} : { oneOpenPaymentPerIp: oneOpen === 'on' }),
  };
  await withMerchant(merchantName, (db, { id: merchantId }) =>
    changing(db, (change) => changeKey(change, { merchantId, keyId }, changes)),
  );
  printResult(json, { key_id: keyId, changed: true }, () => `${keyId} is changed`);
}
