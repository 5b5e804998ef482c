import { PGlite } from '@electric-sql/pglite';
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import { createMutex } from '../mutex.ts';
import { PARSERS } from './values.ts';

/** In a folder; or in memory, empty or with a dump from PGlite's `dumpDataDir`. */
export type EmbeddedSource = { readonly folder: string } | { readonly contents: Blob | null };

/**
 * PGlite (Postgres compiled to WebAssembly, in this process) behind the pool interface of Kysely's
 * Postgres dialect. It has exactly one connection, so while one caller holds it all others wait: a
 * transaction must never await anything that uses the database outside of it.
 */
export async function createEmbeddedPool(source: EmbeddedSource): Promise<PostgresPool> {
  const database = await PGlite.create({
    ...('folder' in source ? { dataDir: source.folder } : {}),
    ...('contents' in source && source.contents !== null ? { loadDataDir: source.contents } : {}),
    parsers: Object.fromEntries(PARSERS),
  });
  const exclusive = createMutex();
  let isEnded = false;
  return {
    async connect() {
      // The words of `pg.Pool`.
      if (isEnded) throw new Error('Cannot use a pool after calling end on the pool');
      return new Promise((resolve) => {
        void exclusive(() => new Promise<void>((release) => resolve(clientOf(database, release))));
      });
    },
    async end() {
      isEnded = true;
      await exclusive(() => database.close());
    },
  };
}

// Helpers

function clientOf(database: PGlite, release: () => void): PostgresPoolClient {
  return {
    // Kysely also allows cursors here; this project does not stream rows.
    query: (async (text: string, parameters: readonly unknown[]) => {
      const result = await database.query<Record<string, unknown>>(text, [...parameters]);
      return { command: commandOf(text), rowCount: result.affectedRows ?? result.rows.length, rows: result.rows };
    }) as PostgresPoolClient['query'],
    release,
  };
}

/** Kysely reads affected rows for these commands only. */
function commandOf(text: string): 'UPDATE' | 'DELETE' | 'INSERT' | 'SELECT' | 'MERGE' {
  const word = /^\s*(insert|update|delete|merge)/i.exec(text)?.[1]?.toUpperCase();
  if (word === 'INSERT' || word === 'UPDATE' || word === 'DELETE' || word === 'MERGE') return word;
  return 'SELECT';
}
