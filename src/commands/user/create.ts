import { createUserWithPassword } from '../../accounts/index.ts';
import { loadConfig } from '../../config/index.ts';
import { requireMerchantNamed } from '../../merchants/index.ts';
import { changing } from '../key/context.ts';
import { printResult } from '../print.ts';
import { withDatabase } from '../with-database.ts';
import type { UserValues } from './commands.ts';

/** `quittance user create`: creates a user with an initial password. */
export async function userCreate({ email, role, merchant, json }: UserValues['create']): Promise<void> {
  const { id, password } = await withDatabase(loadConfig(process.env), async (db) => {
    const merchantId = merchant === null ? null : (await requireMerchantNamed(db, merchant)).id;
    return changing(db, (change) => createUserWithPassword(change, { email, role, merchantId }));
  });
  printResult(
    json,
    { user_id: id, role, password },
    () => `New ${role} ${id}\nFirst password: ${password}\nIt is not shown again.`,
  );
}
