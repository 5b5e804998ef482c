import type { Kysely } from 'kysely';
import type { Database } from '../../../src/platform/db/index.ts';
import { deferred } from '../deferred.ts';

/** Opens `count` connections of a pool: holds each one until all are open, then returns them. */
export async function openConnections(db: Kysely<Database>, count: number): Promise<void> {
  const allOpen = deferred();
  let open = 0;
  const holdOne = () =>
    db.connection().execute(async () => {
      open += 1;
      if (open === count) allOpen.resolve();
      await allOpen.promise;
    });
  await Promise.all(Array.from({ length: count }, holdOne));
}
