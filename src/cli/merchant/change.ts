import { assignPlan } from '../../billing/index.ts';
import { approveMerchant, writeAudit } from '../../merchants/index.ts';
import { changing, withMerchant } from '../key/context.ts';
import { printLine, timeText } from '../print.ts';
import type { MerchantValues } from './commands.ts';

/**
 * `quittance merchant approve`: allows a merchant that signed up to send emails to its customers.
 */
export async function merchantApprove({ merchant }: MerchantValues['approve']): Promise<void> {
  const isNew = await withMerchant(merchant, (db, { id }) => changing(db, (change) => approveMerchant(change, id)));
  printLine(isNew ? `${merchant} is approved and may send emails to customers` : `${merchant} was already approved`);
}

/** `quittance merchant plan`: assigns a plan immediately, replacing the current one. */
export async function merchantPlan({ merchant, tier, until }: MerchantValues['plan']): Promise<void> {
  await withMerchant(merchant, (db, { id: merchantId }) =>
    changing(db, async (change) => {
      await assignPlan(change.trx, { merchantName: merchant, tier, expiresAt: until });
      const details = { tier, expiresAt: until };
      await writeAudit(change, { merchantId, what: 'merchant.plan_assigned', subjectId: merchantId, details });
    }),
  );
  const end = until === null ? 'without an end date' : `until ${timeText(until)}`;
  printLine(`${merchant} now has the ${tier} plan, ${end}`);
}
