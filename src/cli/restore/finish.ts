import type { Kysely } from 'kysely';
import { endAllSessions } from '../../accounts/index.ts';
import { rewindWatchers } from '../../payments/index.ts';
import { systemClock } from '../../platform/clock.ts';
import { loadConfig } from '../../platform/config/index.ts';
import { type Database, liftTimeouts } from '../../platform/db/index.ts';
import { renumberAddresses, type SkippedAddresses, skipAddressesAfterRestore } from '../../wallets/index.ts';
import { asAuditedAction } from '../audited-action.ts';
import { printResult } from '../print.ts';
import { withDatabase } from '../with-database.ts';

/** Blocks of each network that are read again: more than the bus can hold unprocessed events of. */
const REWIND_BLOCKS = 100;

/**
 * `quittance restore finish`: prepares a restored database for the next start of the service, in
 * one transaction. Running it again skips the same number of addresses again, and changes nothing
 * else.
 */
export async function restoreFinish({ advance, json }: { advance: number | null; json: boolean }): Promise<void> {
  const details = { advance };
  const action = { command: 'restore finish', what: 'restore.finished', subjectId: 'database', details } as const;
  const done = await withDatabase(loadConfig(process.env), (db) =>
    asAuditedAction(db, action, () => finish(db, advance)),
  );
  printResult(json, done, () => resultText(done));
}

// Helpers

interface Finished {
  readonly wallets: readonly SkippedAddresses[];
  readonly networks: readonly { readonly network: string; readonly height: number }[];
  readonly sessions_ended: number;
}

async function finish(db: Kysely<Database>, advance: number | null): Promise<Finished> {
  const now = systemClock.now();
  return db.transaction().execute(async (trx) => {
    await liftTimeouts(trx);
    const wallets = await skipAddressesAfterRestore(trx, advance, now);
    await renumberAddresses(trx);
    return {
      wallets,
      networks: await rewindWatchers(trx, { blocks: REWIND_BLOCKS }),
      sessions_ended: await endAllSessions(trx, now),
    };
  });
}

function resultText({ wallets, networks, sessions_ended: sessions }: Finished): string {
  return [
    ...wallets.map(
      ({ network, skipped, next_index: next }) =>
        `${network}: ${skipped} addresses skipped; indexes below ${next} are never issued again`,
    ),
    ...networks.map(({ network, height }) => `${network}: blocks above ${height} will be rescanned`),
    `Sessions ended: ${sessions}; all users must sign in again`,
  ].join('\n');
}
