import { type Change, upsertMerchant } from '../../merchants/index.ts';
import { PLAN_TIERS } from '../../plan-tiers.ts';
import { merchantNameTaken } from './sign-up.ts';

/**
 * Creates a merchant with the first plan. One that took the name first must not be updated, because
 * it is another account: throws a `TerminalError` `MERCHANT_NAME_TAKEN`.
 */
export async function makeMerchant(change: Change, { name, email }: { name: string; email: string }): Promise<string> {
  const [plan] = PLAN_TIERS;
  const { id, created } = await upsertMerchant(change.trx, { name, email, plan, settings: {} }).catch(
    (error: unknown) => {
      throw isUniqueViolation(error) ? merchantNameTaken() : error;
    },
  );
  if (!created) throw merchantNameTaken();
  return id;
}

// Helpers

/** PostgreSQL error code 23505. */
function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23505';
}
