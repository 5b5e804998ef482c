import type { Transaction } from 'kysely';
import type { Database } from '../db/index.ts';
import type { Actor } from './deps.ts';
import type { Standing } from './role.ts';

export interface Peer extends Standing {
  readonly id: string;
}

export interface Locked {
  /** As it is now; nobody's standing is that of a login that was disabled meanwhile. */
  readonly actor: Standing;
  /** Logins of the place, disabled ones too. */
  readonly peers: readonly Peer[];
}

/**
 * Holds whoever acts and every login of a place until the commit. Two owners who demote each other at once would otherwise both
 * be right, and leave nobody.
 */
export async function lockPeers(
  trx: Transaction<Database>,
  actor: Pick<Actor, 'userId'>,
  merchantId: string | null,
): Promise<Locked> {
  const rows = await trx
    .selectFrom('merchant_user')
    .select(['id', 'merchant_id', 'role', 'disabled_at'])
    .where(({ or, eb }) =>
      or([
        eb('id', '=', actor.userId),
        merchantId === null ? eb('merchant_id', 'is', null) : eb('merchant_id', '=', merchantId),
      ]),
    )
    .orderBy('id')
    .forUpdate()
    .execute();
  const self = rows.find((row) => row.id === actor.userId && row.disabled_at === null);
  return {
    actor: self === undefined ? NOBODY : { role: self.role, merchantId: self.merchant_id },
    peers: rows
      .filter((row) => row.merchant_id === merchantId)
      .map((row) => ({ id: row.id, role: row.role, merchantId: row.merchant_id })),
  };
}

// Helpers

/** May manage nobody. */
const NOBODY: Standing = { role: 'observer', merchantId: null };
