import { join } from 'node:path';
import { createPostgresDatabase, findPostgres, POSTGRES_MISSING } from '../support/database.ts';
import { unpackEmbeddedTemplate } from '../support/embedded-template.ts';
import { hasLitecoind, LITECOIND_MISSING } from '../support/litecoind.ts';
import { NATS_MISSING, provideNats } from '../support/nats.ts';
import { type DescribeSuite, requireOrSkip } from '../support/skip.ts';

/** Settings that name a database and a bus of one test's own. */
export interface Backend {
  readonly env: Readonly<Record<string, string>>;
  /** For a command that will run in this folder; what `createTestService` starts prepares itself. */
  prepare(folder: string): Promise<void>;
  remove(): Promise<void>;
}

/** `describe` for suites that pay on a real Litecoin node. */
export const describeLitecoin: DescribeSuite = requireOrSkip(
  hasLitecoind(),
  LITECOIND_MISSING.missing,
  LITECOIND_MISSING.remedy,
);

/** The same with Postgres besides. */
export const describeServers: DescribeSuite = (await findPostgres())
  ? describeLitecoin
  : requireOrSkip(false, POSTGRES_MISSING.missing, POSTGRES_MISSING.remedy);

/** Everything inside the process. */
export async function createEmbeddedBackend(): Promise<Backend> {
  return { env: {}, prepare: (folder) => unpackEmbeddedTemplate(join(folder, 'data')), remove: async () => {} };
}

/** A new database on the Postgres server, and the NATS server with a stream of one's own. */
export async function createServerBackend(): Promise<Backend> {
  const nats = await provideNats();
  if (nats === undefined) throw new Error(`${NATS_MISSING.missing}: ${NATS_MISSING.remedy}`);
  const database = await createPostgresDatabase();
  return {
    env: { DATABASE_URL: database.url ?? '', NATS_URL: nats.url, NATS_PREFIX: nats.prefix },
    prepare: async () => {},
    async remove() {
      await database.drop();
      await nats.cleanUp();
    },
  };
}
