import { loadConfig } from '../../platform/config/index.ts';
import { liftTimeouts } from '../../platform/db/index.ts';
import { countVersions } from '../../platform/engine/index.ts';
import { printResult, tableText } from '../print.ts';
import { withDatabase } from '../with-database.ts';
import type { ActorValues } from './commands.ts';
import { kindsOf } from './kinds-of.ts';

const HEADINGS = ['chart', 'version', 'registered', 'status', 'state', 'actors'];

/** `quittance actor versions`: which versions of each chart are in use. */
export async function actorVersions({ json }: ActorValues['versions']): Promise<void> {
  const config = loadConfig(process.env);
  const kinds = await kindsOf(config);
  const counts = await withDatabase(config, (db) =>
    db.transaction().execute(async (trx) => {
      await liftTimeouts(trx);
      return countVersions(trx, kinds);
    }),
  );
  printResult(json, { versions: counts }, () => {
    if (counts.length === 0) return 'There are no actors.';
    const rows = counts.map((each) => {
      return [each.kind, each.version, each.registered, each.status, each.state, String(each.actors)];
    });
    return tableText(HEADINGS, rows);
  });
}
