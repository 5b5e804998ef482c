import { approveMerchant } from '../../merchants/index.ts';
import { changing, withMerchant } from '../key/context.ts';
import { printLine } from '../print.ts';
import type { MerchantValues } from './commands.ts';

/**
 * `quittance merchant approve`: allows a merchant that signed up to send mails to its customers.
 */
export async function merchantApprove({ merchant }: MerchantValues['approve']): Promise<void> {
  const isNew = await withMerchant(merchant, (db, { id }) => changing(db, (change) => approveMerchant(change, id)));
  printLine(isNew ? `${merchant} is approved and may send mails to customers` : `${merchant} was approved before`);
}
