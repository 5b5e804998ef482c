import type { Kysely } from 'kysely';
import { createUserWithPassword, type UserRole } from '../../accounts/index.ts';
import { loadConfig } from '../../config/index.ts';
import type { Database } from '../../db/index.ts';
import { TerminalError } from '../../errors.ts';
import { changing } from '../key/context.ts';
import { printResult } from '../print.ts';
import { withDatabase } from '../with-database.ts';

interface Wanted {
  readonly email: string;
  readonly role: UserRole;
  /** Null for operators. */
  readonly merchant: string | null;
  readonly json: boolean;
}

/** `quittance user create`: creates a user with an initial password. */
export async function userCreate({ email, role, merchant, json }: Wanted): Promise<void> {
  const { id, password } = await withDatabase(loadConfig(process.env), async (db) => {
    const merchantId = merchant === null ? null : await requireMerchant(db, merchant);
    return changing(db, (change) => createUserWithPassword(change, { email, role, merchantId }));
  });
  printResult(
    json,
    { user_id: id, role, password },
    () => `New ${role} ${id}\nFirst password: ${password}\nIt is not shown again.`,
  );
}

// Helpers

async function requireMerchant(db: Kysely<Database>, name: string): Promise<string> {
  const merchant = await db.selectFrom('merchant').select('id').where('name', '=', name).executeTakeFirst();
  if (merchant !== undefined) return merchant.id;
  throw new TerminalError('MERCHANT_NOT_FOUND', `There is no merchant "${name}"; names are those of provisioning`);
}
