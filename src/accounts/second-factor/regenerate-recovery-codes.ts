import { writeAudit } from '../../merchants/index.ts';
import type { AccountsDeps, Actor } from '../deps.ts';
import { replaceRecoveryCodes } from './recovery-codes.ts';
import { type BothFactors, withBothFactors } from './with-both-factors.ts';

/**
 * Replaces the recovery codes and returns the new ones, once. Throws what `withBothFactors` throws.
 */
export async function regenerateRecoveryCodes(
  deps: AccountsDeps,
  actor: Actor,
  factors: BothFactors,
): Promise<readonly string[]> {
  return withBothFactors(deps, actor, factors, async (change, { id: userId, merchantId }) => {
    await writeAudit(change, { merchantId, what: 'user.recovery_codes_made', subjectId: userId });
    return replaceRecoveryCodes(change.trx, userId, change.now);
  });
}
