import type { Transaction } from 'kysely';
import type { Database } from '../../platform/db/index.ts';
import type { SignedInUser } from '../deps.ts';
import type { Rights } from './role.ts';

export interface Peer extends Rights {
  readonly id: string;
}

export interface LockedUsers {
  /** Current role and merchant; without any rights when the login has been disabled since. */
  readonly signedIn: Rights;
  /** Logins of the merchant, or of the service, disabled ones included. */
  readonly peers: readonly Peer[];
}

/**
 * Locks the acting user and all logins of a merchant (or of the service) until the commit.
 * Otherwise two owners who demote each other concurrently would leave the merchant without one.
 */
export async function lockPeers(
  trx: Transaction<Database>,
  signedIn: Pick<SignedInUser, 'userId'>,
  merchantId: string | null,
): Promise<LockedUsers> {
  const rows = await trx
    .selectFrom('merchant_user')
    .select(['id', 'merchant_id', 'role', 'disabled_at'])
    .where(({ or, eb }) =>
      or([
        eb('id', '=', signedIn.userId),
        merchantId === null ? eb('merchant_id', 'is', null) : eb('merchant_id', '=', merchantId),
      ]),
    )
    .orderBy('id')
    .forUpdate()
    .execute();
  const self = rows.find((row) => row.id === signedIn.userId && row.disabled_at === null);
  return {
    signedIn: self === undefined ? NO_RIGHTS : { role: self.role, merchantId: self.merchant_id },
    peers: rows
      .filter((row) => row.merchant_id === merchantId)
      .map((row) => ({ id: row.id, role: row.role, merchantId: row.merchant_id })),
  };
}

// Helpers

/** Without any rights. */
const NO_RIGHTS: Rights = { role: 'observer', merchantId: null };
