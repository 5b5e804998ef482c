import type { Kysely, Transaction } from 'kysely';
import type { Clock } from '../clock.ts';
import type { Database } from '../db/index.ts';
import type { Change } from '../merchants/index.ts';
import type { SecretBox } from '../secrets/index.ts';
import type { Standing } from './role.ts';

/** What the use cases of accounts work with. */
export interface AccountsDeps {
  readonly db: Kysely<Database>;
  readonly clock: Clock;
  readonly secretBox: SecretBox;
  /** Links in mails begin with it. */
  readonly publicUrl: string;
  /**
   * Minutes for which a password that was given counts for what moves money; 0 asks for it every
   * time.
   */
  readonly reauthMinutes: number;
  readonly signUp: {
    readonly isOpen: boolean;
    /** Nobody can sign up under these: something is trusted by its name. */
    readonly reservedNames: readonly string[];
  };
}

/** Somebody who is signed in and asks for something. */
export interface Actor extends Standing {
  readonly userId: string;
  readonly sessionId: string;
  /** Where the request comes from; left out where no mail names it. */
  readonly address?: string;
}

/** Makes changes and their entries in the audit in one transaction, in the name of a user. */
export function changingAs<T>(
  { db, clock }: Pick<AccountsDeps, 'db' | 'clock'>,
  userId: string,
  work: (change: Change) => Promise<T>,
): Promise<T> {
  return db.transaction().execute((trx) => work(changeBy(trx, clock, userId)));
}

// Helpers

/** Who did it is an id: the audit holds no addresses. */
function changeBy(trx: Transaction<Database>, clock: Clock, userId: string): Change {
  return { trx, who: `user ${userId}`, now: clock.now() };
}
