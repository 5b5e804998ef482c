import type { Kysely } from 'kysely';
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
export interface SignedInUser extends Rights {
  readonly userId: string;
  readonly sessionId: string;
  /** Client address of the request; omitted where no email shows it. */
  readonly address?: string;
}
