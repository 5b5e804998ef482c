import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Watcher } from '../../../../src/chains/index.ts';
import { createChainLease, createWatcherStore } from '../../../../src/payments/index.ts';
import { recordWatcherStatus } from '../../../../src/payments/watching/record-watcher-status.ts';
import { connect } from '../../../../src/platform/db/index.ts';
import { createLogger } from '../../../../src/platform/log.ts';
import { START_MS } from '../../../support/clock.ts';
import { createDatabaseLine } from '../../../support/database/database-line.ts';
import {
  createPostgresDatabase,
  describeDatabases,
  describePostgres,
} from '../../../support/database/test-database.ts';
import { POLLING } from '../../../support/polling.ts';
import { LIVE_NETWORK, startApp, TEST_VERSION } from '../../../support/service/app.ts';
import { silentLog } from '../../../support/silent-log.ts';
import { expectProblem, useApp } from '../support.ts';

const PATH = '/health/details';
const TOKEN = 'an-operator-token-of-40-characters-or-so';

describeDatabases('the details of health', (database) => {
  const closed = useApp(database);
  const opened = useApp(database, { operatorToken: TOKEN });

  test('are not found without an operator token, whatever is sent', async () => {
    for (const key of [null, TOKEN, '', closed.merchant().keys.sk_live]) {
      expectProblem(await closed.app().call({ path: PATH, key }), 404, 'NOT_FOUND');
    }
  });

  test('require the operator token: no API key, no part of the token, no other scheme', async () => {
    const { sk_live, sk_test } = opened.merchant().keys;
    for (const key of [null, '', 'x', TOKEN.slice(1), `${TOKEN}x`, TOKEN.toUpperCase(), sk_live, sk_test]) {
      const response = await opened.app().call({ path: PATH, key });
      expectProblem(response, 401, 'UNAUTHORIZED');
      expect(response.headers['www-authenticate']).toBe('Bearer realm="quittance operator"');
      expect(response.text).not.toContain(TOKEN);
    }
    const basic = await opened.app().call({ path: PATH, key: null, headers: { authorization: `Basic ${TOKEN}` } });
    expectProblem(basic, 401, 'UNAUTHORIZED');
    expectProblem(await opened.app().call({ path: '/transactions/list', key: TOKEN }), 401, 'UNAUTHORIZED');
  });

  test('warn when a proxy forwards https requests and no proxy is trusted', async () => {
    const connection = database();
    const proxied = { 'x-forwarded-for': '203.0.113.7' };
    const trustedProxies = ['127.0.0.1/32'];
    for (const [settings, warned] of [
      [{ isHttps: true }, true],
      [{ isHttps: false }, false],
      [{ isHttps: true, trustedProxies }, false],
    ] as const) {
      const lines: string[] = [];
      const destination = { write: (line: string) => void lines.push(line) };
      const log = createLogger({ level: 'warn', destination });
      const app = await startApp({ connection, operatorToken: TOKEN, log, ...settings });
      try {
        const read = async () => (await app.call<{ warnings: string[] }>({ path: PATH, key: TOKEN })).body.warnings;
        expect(await read()).toEqual([]);
        for (let times = 0; times < 3; times += 1) await app.call({ path: '/health', key: null, headers: proxied });
        expect(await read()).toEqual(warned ? [expect.stringContaining('TRUSTED_PROXIES')] : []);
        expect(lines.filter((line) => line.includes('TRUSTED_PROXIES'))).toHaveLength(warned ? 1 : 0);
      } finally {
        await app.stop();
      }
    }
  });

  test.each([
    ['a private address with a further one behind it', '203.0.113.7, 10.97.31.1', '10.97.31.1'],
    ['a unique local address with a further one behind it', '2001:db8::7, fd00::1', 'fd00::1'],
    ['a loopback address with a further one behind it', '203.0.113.7, ::ffff:127.0.0.9', '::ffff:127.0.0.9'],
    ['a private address alone', '10.97.31.1', null],
    ['a private address behind trusted ones', '192.168.7.7, 10.97.31.10', null],
    ['a public address that sends one of its own', '198.51.100.1, 203.0.113.7', null],
    ['what is no address', '203.0.113.7, unknown', null],
    ['nothing', ' , ', null],
  ])('warn of a proxy in front of the trusted one: X-Forwarded-For ends with %s', async (_, forwarded, proxy) => {
    const trustedProxies = ['127.0.0.1', '10.97.31.10'];
    const lines: string[] = [];
    const log = createLogger({ level: 'warn', destination: { write: (line) => void lines.push(line) } });
    const app = await startApp({ connection: database(), operatorToken: TOKEN, log, isHttps: true, trustedProxies });
    try {
      const headers = { 'x-forwarded-for': forwarded };
      for (let times = 0; times < 3; times += 1) await app.call({ path: '/health', key: null, headers });
      const { warnings } = (await app.call<{ warnings: string[] }>({ path: PATH, key: TOKEN })).body;
      expect(warnings).toEqual(proxy === null ? [] : [expect.stringContaining(`add ${proxy} to TRUSTED_PROXIES`)]);
      expect(lines.filter((line) => line.includes('TRUSTED_PROXIES'))).toHaveLength(warnings.length);
    } finally {
      await app.stop();
    }
  });

  test('warn when the forwarding private peer is not among the trusted proxies', async () => {
    const app = await startApp({ connection: database(), operatorToken: TOKEN, trustedProxies: ['10.97.31.10'] });
    try {
      const headers = { 'x-forwarded-for': '203.0.113.7' };
      await app.call({ path: '/health', key: null, headers, remoteAddress: '10.97.31.12' });
      const { warnings } = (await app.call<{ warnings: string[] }>({ path: PATH, key: TOKEN })).body;
      expect(warnings).toEqual([expect.stringContaining('add 10.97.31.12 to TRUSTED_PROXIES')]);
    } finally {
      await app.stop();
    }
  });

  test('show how every network is watched', async () => {
    const { db } = database();
    const store = createWatcherStore({ db, network: LIVE_NETWORK, onProgress: () => {} });
    await store.nextEpoch();
    const cursor = { height: 7, blockHash: 'hash' };
    await store.saveProgress({
      forkHeight: 6,
      blocks: [],
      cursor,
      tipHeight: 9,
      syncedUntil: START_MS,
    });
    await createChainLease({ db, network: LIVE_NETWORK, holder: 'host:1', leaseMs: 60_000 }).take();
    for (const status of ['block', 'gone']) {
      await sql`insert into unassigned_payment (network, output_id, asset, address, reason, amount_base_units, status,
        chain_order, first_seen_at) values (${LIVE_NETWORK}, ${status}, 'LTC', 'a', 'unassigned_address', 1, ${status}, 1, now())`.execute(
        db,
      );
    }
    const watcher = watcherThatWarns('Traces fail.');
    await recordWatcherStatus({ db, watcher, log: silentLog }).step();
    const response = await opened.app().call({ path: PATH, key: TOKEN });
    expect(response).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } });
    expect(response.body).toEqual({
      status: 'ok',
      service: 'quittance',
      version: TEST_VERSION,
      chains: [
        {
          network: LIVE_NETWORK,
          mode: 'live',
          state: 'watching',
          cursor_height: 7,
          tip_height: 9,
          blocks_behind: 2,
          looked_until: '2026-11-21T10:00:00.000Z',
          looked_age_seconds: 0,
          holder: 'host:1',
          leased_until: expect.stringMatching(/^20\d\d-.*Z$/),
          last_error: null,
          last_error_at: null,
          warnings: ['Traces fail.'],
          unwatched_assets: [],
          reported_at: expect.stringMatching(/^20\d\d-.*Z$/),
        },
      ],
      stray_payments: 1,
      warnings: [],
    });
  });
});

describePostgres('the details of health without a database', () => {
  test('show that it is down, and the other parts when it is back', async () => {
    const database = await createPostgresDatabase();
    const { line, url } = await createDatabaseLine(database);
    const connection = await connect({ url, dataDir: null, poolSize: 2 });
    const app = await startApp({ connection, operatorToken: TOKEN });
    try {
      await line.cut();
      const response = await app.call({ path: PATH, key: TOKEN });
      expectProblem(response, 500, 'UPSTREAM_ERROR');
      expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
      await line.repair();
      await expect.poll(async () => (await app.call({ path: PATH, key: TOKEN })).status, POLLING).toBe(200);
    } finally {
      await app.stop();
      await connection.close();
      await line.close();
      await database.drop();
    }
  });
});

// Helpers

/** A watcher whose polls succeed, though something should be fixed. */
function watcherThatWarns(warning: string): Watcher {
  return {
    network: LIVE_NETWORK,
    step: async () => {},
    verify: async () => {},
    rescan: async () => ({ blocks: 0, outputs: 0 }),
    search: async () => ({ height: null, outputs: 0 }),
    status: () => ({
      network: LIVE_NETWORK,
      cursorHeight: 7,
      tipHeight: 9,
      syncedUntil: START_MS,
      lastError: null,
      warnings: [warning],
    }),
  };
}
