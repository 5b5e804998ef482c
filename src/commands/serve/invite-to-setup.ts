import { type AccountsDeps, offerSetup } from '../../accounts/index.ts';
import type { Log } from '../../log.ts';

/**
 * While there are no users, prints the address where the first operator chooses a password, to the
 * log and the terminal, which only operators read. Each start prints a new one.
 */
export async function inviteToSetup({
  db,
  clock,
  publicUrl,
  log,
  announce,
}: Pick<AccountsDeps, 'db' | 'clock' | 'publicUrl'> & {
  readonly log: Pick<Log, 'info'>;
  readonly announce: (text: string) => void;
}): Promise<void> {
  const token = await offerSetup({ db, clock });
  if (token === null) return;
  const setupUrl = `${publicUrl}/console/setup#${token}`;
  log.info({ setupUrl }, 'there are no users yet: open setupUrl to create the first operator');
  announce(`\n  There are no users yet. Open this address to create the first operator:\n  ${setupUrl}\n`);
}
