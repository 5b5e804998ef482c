import { sql } from 'kysely';
import { connect } from '../../../src/platform/db/index.ts';

/**
 * Opens the embedded database of a folder and inserts numbers in an endless loop; prints each one
 * once its commit is acknowledged.
 */
const { db } = await connect({ url: null, dataDir: process.argv[2] ?? '', poolSize: 1 });
await sql`create table if not exists note (id int primary key)`.execute(db);
for (let id = 1; ; id += 1) {
  await sql`insert into note (id) values (${id})`.execute(db);
  process.stdout.write(`${id}\n`);
}
