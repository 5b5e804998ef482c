import type { Kysely, Transaction } from 'kysely';
import type { AuditedChange } from '../merchants/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/index.ts';
import type { SecretBox } from '../platform/secrets/index.ts';
import type { Rights } from './users/role.ts';

/** Dependencies of the use cases of accounts. */
export interface AccountsDeps {
  readonly db: Kysely<Database>;
  readonly clock: Clock;
  readonly secretBox: SecretBox;
  /** Prefix of links in emails. */
  readonly publicUrl: string;
  /**
   * Minutes for which an entered password authorises changes that affect where money goes; 0
   * requires it every time.
   */
  readonly reauthMinutes: number;
  readonly signUp: {
    readonly isOpen: boolean;
    /** Names that cannot be used to sign up, because something is trusted by its name. */
    readonly reservedNames: readonly string[];
  };
}

/** The signed-in user of a request. */
export interface Actor extends Rights {
  readonly userId: string;
  readonly sessionId: string;
  /** Client address of the request; omitted where no email shows it. */
  readonly address?: string;
}

/** Runs changes and their audit entries in one transaction, in the name of a user. */
export function changingAs<T>(
  { db, clock }: Pick<AccountsDeps, 'db' | 'clock'>,
  userId: string,
  work: (change: AuditedChange) => Promise<T>,
): Promise<T> {
  return db.transaction().execute((trx) => work(changeBy(trx, clock, userId)));
}

// Helpers

/** The author is an id: the audit holds no addresses. */
function changeBy(trx: Transaction<Database>, clock: Clock, userId: string): AuditedChange {
  return { trx, who: `user ${userId}`, now: clock.now() };
}
