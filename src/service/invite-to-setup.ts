import { setTimeout as sleep } from 'node:timers/promises';
import { type AccountsDeps, offerSetup } from '../accounts/index.ts';
import { messageOf } from '../platform/errors.ts';
import type { Log } from '../platform/log.ts';

export interface SetupInvitation extends Pick<AccountsDeps, 'db' | 'clock' | 'publicUrl'> {
  readonly log: Pick<Log, 'info' | 'warn'>;
  readonly print: (text: string) => void;
  readonly signal: AbortSignal;
}

const RETRY_EVERY_MS = 1_000;

/**
 * While there are no users, prints the address where the first operator chooses a password, to the
 * log and the terminal, which only operators read. Each start prints a new one. The service is
 * ready by then, so a failing database must not end it: retries until `signal` is aborted.
 */
export async function inviteToSetup({ db, clock, publicUrl, log, print, signal }: SetupInvitation): Promise<void> {
  const token = await untilOffered();
  if (token === null) return;
  const setupUrl = `${publicUrl}/console/setup#${token}`;
  log.info({ setupUrl }, 'there are no users yet: open setupUrl to create the first operator');
  print(`\n  There are no users yet. Open this address to create the first operator:\n  ${setupUrl}\n`);

  async function untilOffered(): Promise<string | null> {
    for (let failures = 0; ; failures += 1) {
      try {
        return await offerSetup({ db, clock });
      } catch (error) {
        if (failures === 0)
          log.warn({ reason: messageOf(error) }, 'users could not be read from the database; retrying');
        await sleep(RETRY_EVERY_MS, undefined, { signal });
      }
    }
  }
}
