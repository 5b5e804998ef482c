import * as read from '../parsers.ts';
import { secret, setting } from './setting.ts';

/** The database and the message bus, shared by all processes. */
export const STORAGE_SETTINGS = {
  databaseUrl: secret(
    'DATABASE_URL',
    '(embedded database in DATA_DIR)',
    'PostgreSQL URL, such as postgres://user:password@host:5432/quittance. Required for live payments on mainnet.',
    read.url(['postgres:', 'postgresql:'], 'postgres://user:password@host:5432/quittance'),
  ),
  databasePoolSize: setting(
    'DATABASE_POOL_SIZE',
    '10',
    'Maximum PostgreSQL connections per process.',
    read.wholeNumber(1, 1_000),
  ),
  databasePooler: setting(
    'DATABASE_POOLER',
    'none',
    'Pooler behind DATABASE_URL: none, transaction (no prepared statements), or transaction-prepared (PgBouncer 1.21 or newer).',
    read.oneOf(['none', 'transaction', 'transaction-prepared']),
  ),
  databaseMigrationUrl: secret(
    'DATABASE_MIGRATION_URL',
    '(DATABASE_URL)',
    'URL of the same database for schema migrations: as another role, or bypassing a pooler. Requires DATABASE_URL.',
    read.url(['postgres:', 'postgresql:'], 'postgres://owner:password@host:5432/quittance'),
  ),
  migrate: setting(
    'MIGRATE',
    'on',
    'Whether a start migrates the database schema: on or off. When off, run `quittance migrate` first.',
    read.mapped(read.oneOf(['on', 'off']), (choice) => choice === 'on'),
  ),
  natsUrl: secret(
    'NATS_URL',
    '(in-process bus)',
    'NATS server with JetStream, such as nats://host:4222.',
    read.url(['nats:', 'tls:'], 'nats://host:4222'),
  ),
  natsPrefix: setting(
    'NATS_PREFIX',
    'quittance',
    'Prefix of stream and subject names, to share one NATS between installations.',
    read.subjectToken,
  ),
} as const;
