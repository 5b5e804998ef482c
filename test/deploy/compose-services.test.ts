import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect as connectNats } from '@nats-io/transport-node';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { connect, migrate } from '../../src/platform/db/index.ts';
import { createClusterFolder, initialiseCluster, startCluster } from '../support/database/postgres-cluster.ts';
import { describeWith } from '../support/run/components.ts';
import { findPostgresProgram } from '../support/run/find-program.ts';
import { createNatsServer } from '../support/service/nats.ts';
import { readProjectFile } from './dockerfile.ts';

const APPLY = resolve(import.meta.dirname, '../../deploy/postgres/apply-roles.sh');
const REJECTED = [
  'create table x ()',
  'drop table journal_entry',
  'alter table audit_entry disable trigger all',
  'delete from journal_entry',
  'delete from audit_entry',
];

describeWith('natsServer')('the NATS server of docker-compose.yml', () => {
  test('accepts only its own user, also with a numeric password', async () => {
    // Quoted, as Compose passes it on.
    process.env.NATS_PASSWORD = '"4711"';
    const folder = await mkdtemp(join(tmpdir(), 'quittance-broker-'));
    // The monitoring port may be in use by another server here, and the installed NATS may be older
    // than 2.10.
    const configuration = readProjectFile('deploy/nats/nats.conf')
      .replace(/^http: .*$/m, '')
      .replace(/^ *sync_interval: .*$/m, '')
      .replace('/data', folder);
    const server = await createNatsServer({ configuration, hasJetStream: false });
    try {
      await server.start();
      const servers = server.url.replace('nats://', '');
      await expect(connectNats({ servers, reconnect: false })).rejects.toThrow(/authorization/i);
      const wrong = { user: 'quittance', pass: '4712' };
      await expect(connectNats({ servers, reconnect: false, ...wrong })).rejects.toThrow(/authorization/i);
      const connection = await connectNats({ servers, reconnect: false, user: 'quittance', pass: '4711' });
      await (await jetstreamManager(connection)).getAccountInfo();
      await connection.close();
    } finally {
      await server.remove();
      await rm(folder, { recursive: true, force: true });
      delete process.env.NATS_PASSWORD;
    }
  });
});

describeWith('postgresPrograms')('the database roles of docker-compose.yml', () => {
  test('get their passwords, and the service role cannot change the schema, the journal or the audit log', {
    timeout: 200_000,
  }, async () => {
    const folder = await createClusterFolder();
    const data = join(folder, 'data');
    initialiseCluster(data, folder);
    const superuser = 'host all postgres 127.0.0.1/32 trust';
    await writeFile(join(data, 'pg_hba.conf'), `${superuser}\nhost all all 127.0.0.1/32 scram-sha-256\n`);
    const cluster = await startCluster({ data, settings: ['unix_socket_directories=', 'fsync=off'] });
    const apply = () =>
      spawnSync('sh', [APPLY], {
        encoding: 'utf8',
        env: {
          PATH: `${dirname(findPostgresProgram('psql') ?? '')}:${process.env.PATH}`,
          PGHOST: '127.0.0.1',
          PGPORT: String(cluster.port),
          PGUSER: 'postgres',
          PGDATABASE: 'postgres',
          SERVICE_PASSWORD: "it's-the-service",
          READER_PASSWORD: '4711',
        },
      });
    try {
      const connection = await connect({ url: cluster.url, dataDir: null, poolSize: 2 });
      await migrate(connection.db);
      await connection.close();
      for (const run of [apply(), apply()]) expect(run, run.stderr).toMatchObject({ status: 0 });
      const as = (role: string, password: string) =>
        cluster.url.replace('postgres@', `${role}:${encodeURIComponent(password)}@`);
      const service = as('quittance_service', "it's-the-service");
      await ask(service, 'select 1 from journal_entry');
      await ask(as('quittance_reader', '4711'), 'select 1 from journal_entry');
      await expect(ask(as('quittance_service', '4711'), 'select 1')).rejects.toMatchObject({ code: '28P01' });
      for (const statement of REJECTED) {
        await expect(ask(service, statement), statement).rejects.toMatchObject({ code: '42501' });
      }
    } finally {
      await cluster.stop();
      await rm(folder, { recursive: true, force: true });
    }
  });
});

describe('apply-roles.sh', () => {
  test('fails when a password is missing', () => {
    const { status, stderr } = spawnSync('sh', [APPLY], { encoding: 'utf8', env: { PATH: process.env.PATH ?? '' } });
    expect(status).not.toBe(0);
    expect(stderr).toContain('SERVICE_PASSWORD');
  });
});

// Helpers

async function ask(connectionString: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
