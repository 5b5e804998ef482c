import { type Kysely, sql } from 'kysely';
import type { SchemaMigration, SchemaMigrations } from '../../../src/platform/db/migrating/types.ts';
import { monthPartitions } from '../../../src/platform/db/migrations/initial/month-partitions.ts';

/** A made-up schema with three releases, to test what migrations do to a database with rows. */
export const FIRST_RELEASE: SchemaMigrations = {
  '2026_01_01_1000_parcels': inTransaction([
    `create table parcel (
      id text primary key,
      shop text not null,
      sent_at timestamptz not null,
      unique (shop, id)
    )`,
    ...monthPartitions('set search_path = public, pg_temp'),
  ]),
};

/** Adds what the program of the first release does not know. */
export const SECOND_RELEASE: SchemaMigrations = {
  ...FIRST_RELEASE,
  '2026_02_01_1000_weights': inTransaction([
    'alter table parcel add column weight int4 not null default 1, add column label text',
    `update parcel set label = shop || ' ' || id`,
  ]),
  '2026_02_01_1010_listing': {
    indexes: [
      { name: 'parcel_listing', statement: 'create index concurrently parcel_listing on parcel (shop, sent_at)' },
    ],
  },
};

/** Partitions the table by month, and removes the index that the first release used. */
export const THIRD_RELEASE: SchemaMigrations = {
  ...SECOND_RELEASE,
  '2026_03_01_1000_months': {
    ...inTransaction([
      'alter table parcel rename to former_parcel',
      'alter table former_parcel drop constraint parcel_pkey',
      'drop index parcel_listing',
      `create table parcel (
        id text not null,
        shop text not null,
        sent_at timestamptz not null,
        weight int4 not null default 1,
        label text,
        primary key (id, sent_at)
      ) partition by range (sent_at)`,
      'create index parcel_listing on parcel (shop, sent_at)',
      'create table parcel_default partition of parcel default',
      `select make_month_partitions('parcel', coalesce((select min(sent_at) from former_parcel), now()), now())`,
      `insert into parcel (id, shop, sent_at, weight, label) select id, shop, sent_at, weight, label from former_parcel`,
      'drop table former_parcel',
    ]),
    compatibleFrom: '0.3.0',
  },
};

// Helpers

function inTransaction(statements: readonly string[]): Extract<SchemaMigration, { up: unknown }> {
  return {
    async up(trx: Kysely<unknown>) {
      for (const statement of statements) await sql.raw(statement).execute(trx);
    },
  };
}
