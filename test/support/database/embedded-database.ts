import { CompiledQuery, type KyselyPlugin } from 'kysely';
import type pg from 'pg';
import { type Connection, connect } from '../../../src/platform/db/index.ts';
import { type Pristine, readPristine, resetDatabase } from './database-reset.ts';
import { readEmbeddedTemplate } from './embedded-template.ts';

/** See `TestDatabase`. */
type EmbeddedTestDatabase = Connection & { readonly url: null; drop(): Promise<void> };

/**
 * A migrated embedded database in memory that holds only the rows of migrations. Reuses one that an
 * earlier test file of this process has dropped, after emptying it, or creates a new one. Emptying
 * takes a tenth of the time of creating.
 */
export async function createEmbeddedDatabase(): Promise<EmbeddedTestDatabase> {
  const { connection, pristine } = emptied.pop() ?? (await start());
  let isDropped = false;
  const untilDropped: KyselyPlugin = {
    // Work that a test file left running must not write into the next file's database.
    transformQuery({ node }) {
      if (isDropped) throw new Error('This database was dropped');
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  return {
    ...connection,
    db: connection.db.withPlugin(untilDropped),
    url: null,
    close: async () => {
      isDropped = true;
    },
    async drop() {
      isDropped = true;
      if (await resetDatabase(clientOf(connection), pristine)) emptied.push({ connection, pristine });
      else await connection.close();
    },
  };
}

// Helpers

interface Embedded {
  readonly connection: Connection;
  readonly pristine: Pristine;
}

/** Emptied databases, for the next test files of this process. */
const emptied: Embedded[] = [];
let known: Promise<Pristine> | undefined;

async function start(): Promise<Embedded> {
  const contents = await readEmbeddedTemplate();
  const connection = await connect({ url: null, dataDir: null, contents, poolSize: 1 });
  known ??= readPristine(clientOf(connection));
  return { connection, pristine: await known };
}

function clientOf({ db }: Connection): Pick<pg.Client, 'query'> {
  const query = (text: string) => db.executeQuery(CompiledQuery.raw(text));
  return { query: query as unknown as pg.Client['query'] };
}
