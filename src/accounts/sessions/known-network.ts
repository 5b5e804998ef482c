import { createHash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { networkOf } from '../../merchants/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { hashEmail } from '../email.ts';
import { throttleKey } from '../throttle.ts';

/** Hash of an address's network for one login. */
export function hashNetwork(email: string, address: string): string {
  return createHash('sha256')
    .update(`${hashEmail(email)} ${networkOf(address)}`)
    .digest('hex');
}

/**
 * Throttle key of password attempts for a login: one per network from which it has had a session,
 * and one for all others, so that strangers who guess cannot lock its owner out. Sessions are
 * remembered for 30 days. One statement, whether or not the address has a login.
 */
export async function passwordKeyFrom(db: Kysely<Database>, email: string, address: string): Promise<string> {
  const networkHash = hashNetwork(email, address);
  const { rows } = await sql`
    select 1 from merchant_user
    where lower(email) = lower(${email.trim()}) and exists (
      select 1 from session where user_id = merchant_user.id and network_hash = ${networkHash}
    )`.execute(db);
  return rows.length === 0 ? throttleKey.passwordsOf(email) : throttleKey.passwordsFrom(email, networkHash);
}
