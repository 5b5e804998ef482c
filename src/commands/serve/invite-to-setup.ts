import { type AccountsDeps, offerSetup } from '../../accounts/index.ts';
import type { Log } from '../../log.ts';

/**
 * While nobody can sign in, prints the address where the first operator chooses a password, to the
 * log and to the terminal: whoever reads these runs the service. Each start prints another one.
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
  log.info({ setupUrl }, 'nobody can sign in yet: open setupUrl to make the first login');
  announce(`\n  Nobody can sign in yet. Open this address once to make the first login:\n  ${setupUrl}\n`);
}
