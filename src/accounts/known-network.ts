import { createHash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../db/index.ts';
import { networkOf } from '../merchants/index.ts';
import { hashEmail } from './email.ts';
import { throttleKey } from './throttle.ts';

/** Names the network of an address for one login. */
export function hashNetwork(email: string, address: string): string {
  return createHash('sha256')
    .update(`${hashEmail(email)} ${networkOf(address)}`)
    .digest('hex');
}

/**
 * What passwords for a login are counted under: a count of its own for each network that one of its
 * sessions was started from, and one for all others, so that strangers who guess cannot make its
 * owner wait. A session is remembered for 30 days. One statement for every address, whether or not
 * it has a login.
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
