import { systemClock } from '../../clock.ts';
import { loadConfig } from '../../config/index.ts';
import { allowAddresses, createPlanCache } from '../../merchants/index.ts';
import { printResult } from '../print.ts';
import type { KeyValues } from './commands.ts';
import { changing, withMerchant } from './context.ts';

/** `quittance key allow`: sets the IP addresses a secret key may be used from. */
export async function keyAllow({ merchant: merchantName, key: keyId, from, json }: KeyValues['allow']): Promise<void> {
  const cidrs = from === 'anywhere' ? [] : from.split(',');
  const allowed = await withMerchant(merchantName, async (db, { id: merchantId, plan }) => {
    const { plansEnabled } = loadConfig(process.env);
    const terms = await createPlanCache({ db, clock: systemClock, plansEnabled }).termsOf(plan);
    return changing(db, (change) => allowAddresses(change, { merchantId, keyId, terms, cidrs }));
  });
  printResult(json, { key_id: keyId, allowed_cidrs: allowed }, () =>
    allowed.length === 0
      ? `${keyId} may be used from anywhere`
      : `${keyId} may be used from ${allowed.join(', ')} alone`,
  );
}
