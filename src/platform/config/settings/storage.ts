import * as read from '../parsers.ts';
import { secret, setting } from './setting.ts';

/** The database and the message bus, shared by all processes. */
export const STORAGE_SETTINGS = {
  databaseUrl: secret(
    'DATABASE_URL',
    '(embedded database in DATA_DIR)',
    'PostgreSQL to use, like postgres://user:password@host:5432/quittance. Required for live coins on a main network.',
    read.url(['postgres:', 'postgresql:'], 'postgres://user:password@host:5432/quittance'),
  ),
  databasePoolSize: setting(
    'DATABASE_POOL_SIZE',
    '10',
    'Most connections to PostgreSQL that one process opens.',
    read.wholeNumber(1, 1_000),
  ),
  databasePooler: setting(
    'DATABASE_POOLER',
    'none',
    'Pooler that DATABASE_URL leads to: none, transaction (no prepared statements), or transaction-prepared (PgBouncer 1.21 or newer).',
    read.oneOf(['none', 'transaction', 'transaction-prepared']),
  ),
  databaseMigrationUrl: secret(
    'DATABASE_MIGRATION_URL',
    '(DATABASE_URL)',
    'The same PostgreSQL database for the role that may change its schema: another role, or past a pooler. Goes with DATABASE_URL.',
    read.url(['postgres:', 'postgresql:'], 'postgres://owner:password@host:5432/quittance'),
  ),
  migrate: setting(
    'MIGRATE',
    'on',
    'Whether a start brings the database schema up to date: on or off. With off, run `quittance migrate` before it.',
    read.mapped(read.oneOf(['on', 'off']), (choice) => choice === 'on'),
  ),
  natsUrl: secret(
    'NATS_URL',
    '(bus inside the process)',
    'NATS server with JetStream, like nats://host:4222.',
    read.url(['nats:', 'tls:'], 'nats://host:4222'),
  ),
  natsPrefix: setting(
    'NATS_PREFIX',
    'quittance',
    'Beginning of every stream and subject name, to share one NATS between installations.',
    read.subjectToken,
  ),
} as const;
