import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createCustomer } from '../../demo/customer.ts';
import { CONFIRMATIONS, dueLitoshi, type Stage } from '../../demo/scenarios.ts';
import { openShop } from '../../demo/shop.ts';
import { waitFor } from '../../demo/wait.ts';
import { createWorld } from '../../demo/world.ts';
import { ASSETS } from '../../machines/index.ts';
import { scrubText } from '../../src/platform/log.ts';
import { describeServers } from '../e2e/backends.ts';
import { comesTo, expectWebhooks } from '../e2e/expectations.ts';
import { createDatabaseLine } from '../support/database/database-line.ts';
import { createPostgresDatabase, type TestDatabase } from '../support/database/test-database.ts';
import { type Litecoind, startLitecoind } from '../support/nodes/litecoind.ts';
import { type Scrape, scrape } from '../support/outside/scrape.ts';
import type { TcpProxy } from '../support/outside/tcp-proxy.ts';
import { provideNats, type TestNats } from '../support/service/nats.ts';

const NETWORK = 'litecoin-regtest';
const PAID = 3;
const UNPAID = 2;
/** Database metrics are read once in five seconds. */
const POLLING = { timeout: 30_000, interval: 100 };

let node: Litecoind | undefined;
let database: TestDatabase | undefined;
let nats: TestNats | undefined;
let line: TcpProxy | undefined;
let harness: Stage;
/** One of the paid payments. */
let paidId: string;

describeServers('the metrics of a service after some work', () => {
  beforeAll(async () => {
    node = await startLitecoind();
    nats = provideNats();
    const world = createWorld(node);
    const env = { NATS_URL: nats.url, NATS_PREFIX: nats.prefix, MONITOR_PORT: '0' };
    const shop = await openShop({ world, env: { ...env, DATABASE_URL: await databaseOverLine() } });
    harness = { world, customer: createCustomer(world), shop };
    await work();
  }, 180_000);
  afterAll(async () => {
    await harness?.shop.close();
    await line?.close();
    await database?.drop();
    await nats?.cleanUp();
    await node?.stop();
  });

  test('count exactly the journal entries of each kind that were written', async () => {
    await vi.waitFor(async () => {
      const seen = await look();
      for (const { kind, outcome, entries } of await journalCounts()) {
        expect({ kind, outcome, entries: seen.sum('quittance_engine_steps_total', { kind, outcome }) }).toEqual({
          kind,
          outcome,
          entries,
        });
      }
      const written = (await journalCounts()).reduce((sum, { entries }) => sum + entries, 0);
      expect(seen.sum('quittance_engine_steps_total')).toBe(written);
      expect(written).toBeGreaterThan((PAID + UNPAID) * 4);
    }, POLLING);
  });

  test('count every webhook attempt by outcome', async () => {
    // A request has arrived before its attempt is logged.
    await vi.waitFor(async () => {
      const { rows } = await sql<{ delivered: number; rejected: number }>`
        select count(*) filter (where failure is null) as delivered,
          count(*) filter (where failure = 'status') as rejected from webhook_attempt`.execute(db());
      expect(rows[0]).toEqual({ delivered: harness.shop.receiver.requests.length - 1, rejected: 1 });
      const seen = await look();
      const attempts = (outcome: string) => seen.sum('quittance_webhook_attempt_duration_seconds_count', { outcome });
      expect(attempts('delivered')).toBe(rows[0]?.delivered);
      expect(attempts('status')).toBe(rows[0]?.rejected);
    }, POLLING);
  });

  test('count requests by route pattern, and unmatched requests separately', async () => {
    await harness.shop.get(paidId);
    await fetch(`${harness.shop.service.url}/wp-login.php?token=sk_live_abcdefghijklmnop`);
    await fetch(`${harness.shop.service.url}/v1/no/such/thing`);
    await vi.waitFor(async () => {
      const seen = await look();
      const count = (method: string, route: string, status: string) =>
        seen.sum('quittance_http_request_duration_seconds_count', { method, route, status });
      expect(count('POST', '/v1/transactions/create', '2xx')).toBe(PAID + UNPAID);
      expect(count('GET', '/v1/transactions/:transaction_id', '2xx')).toBeGreaterThan(0);
      expect(count('GET', 'none', '4xx')).toBe(2);
      expect(seen.sum('quittance_http_requests_in_flight')).toBe(0);
    }, POLLING);
    expect((await look()).text).not.toMatch(/wp-login|sk_live/);
  });

  test('show the state of the chain watchers', async () => {
    const height = await harness.world.node.rpc<number>('getblockcount');
    await vi.waitFor(async () => {
      const seen = await look();
      const labels = { network: NETWORK };
      expect(seen.sum('quittance_chain_tip_height', labels)).toBe(height);
      expect(seen.sum('quittance_chain_lag_blocks', labels)).toBe(0);
      expect(seen.sum('quittance_chain_watched', labels)).toBe(1);
      expect(seen.sum('quittance_chain_lease_held', labels)).toBe(1);
      expect(seen.sum('quittance_chain_blocks_scanned_total', labels)).toBeGreaterThanOrEqual(CONFIRMATIONS);
      expect(seen.sum('quittance_chain_observations_total', { ...labels, status: 'confirmed' })).toBe(PAID);
      expect(
        seen.sum('quittance_chain_poll_duration_seconds_count', { ...labels, outcome: 'succeeded' }),
      ).toBeGreaterThan(0);
      expect(seen.sum('quittance_chain_watermark_age_seconds', labels)).toBeLessThan(300);
    }, POLLING);
  });

  test('show what the database contains: actors by state, queues, open items', async () => {
    const { rows } = await sql<{ kind: string; state: string; count: number }>`
      select kind, state, count(*) as count from actor group by kind, state`.execute(db());
    await vi.waitFor(async () => {
      const seen = await look();
      for (const { kind, state, count } of rows) expect(seen.sum('quittance_actors', { kind, state })).toBe(count);
      expect(seen.sum('quittance_database_up')).toBe(1);
      expect(seen.sum('quittance_outbox_messages')).toBe(0);
      expect(seen.sum('quittance_outbox_oldest_age_seconds')).toBe(0);
      expect(seen.sum('quittance_dead_letters_open')).toBe(0);
    }, POLLING);
  });

  test('cover the bus, timers, rates, connections and the process', async () => {
    const seen = await look();
    const handled = seen.sum('quittance_bus_handling_duration_seconds_count', { outcome: 'handled' });
    expect(handled).toBeGreaterThan(PAID * 3);
    expect(seen.sum('quittance_outbox_publish_duration_seconds_count', { outcome: 'published' })).toBeGreaterThan(
      PAID * 3,
    );
    expect(seen.sum('quittance_bus_up')).toBe(1);
    expect(seen.sum('quittance_timers_leased_total', { waits_for: 'chain' })).toBeGreaterThan(0);
    expect(seen.sum('quittance_rate_age_seconds', { asset: 'LTC' })).not.toBeNull();
    expect(seen.sum('quittance_rate_age_seconds', { asset: 'BTC' })).toBeNull();
    expect(seen.sum('quittance_database_connections')).toBeGreaterThan(0);
    expect(seen.sum('quittance_ready')).toBe(1);
    expect(seen.sum('quittance_info', { roles: 'api,watcher,worker' })).toBe(1);
    expect(seen.sum('process_resident_memory_bytes')).toBeGreaterThan(1_000_000);
    expect(seen.sum('nodejs_eventloop_lag_p99_seconds')).not.toBeNull();
  });

  test('have names and help texts that follow the Prometheus conventions', async () => {
    const seen = await look();
    const own = [...seen.types].filter(([name]) => name.startsWith('quittance_'));
    expect(own.length).toBeGreaterThan(40);
    for (const [name, type] of own) {
      expect(name).toMatch(/^[a-z][a-z_]+$/);
      expect(name).not.toMatch(/_(?:ms|millis|minutes|hours)(?:_|$)/);
      expect(`${name} is a ${type}`).toMatch(type === 'counter' ? /_total is/ : /^(?!.*_total is)/);
      expect(seen.helps.get(name)).toMatch(/^[A-Z1].*[.]$/);
    }
  });

  test('contain nothing that identifies a merchant, a payment, an address or a secret', async () => {
    const seen = await look();
    const allowed = new Set<string>(Object.keys(ASSETS));
    const values = new Set(
      seen.samples
        .filter(({ name }) => name.startsWith('quittance_'))
        .flatMap(({ labels }) => Object.entries(labels))
        .filter(([label, value]) => label !== 'le' && !allowed.has(value))
        .map(([, value]) => value),
    );
    // Labels are words, route patterns and versions. Ids, addresses, hashes and keys have longer
    // runs of letters and digits.
    const suspicious = [...values].filter((value) => /[0-9A-Za-z]{20}/.test(value) || /@|:\/\//.test(value));
    expect(suspicious).toEqual([]);
    // By line, because a text this long is not searched.
    expect(seen.text.split('\n').map(scrubText).join('\n')).toBe(seen.text);
    expect(seen.text).not.toContain('Corner');
    // A measured number may contain any digits by chance; what identifies a server is a label.
    const port = harness.shop.receiver.port.toString();
    expect([...values].filter((value) => value.includes(port))).toEqual([]);
    expect(seen.text).not.toContain(`:${port}`);
    expect(seen.samples.length).toBeLessThan(3_000);
  });

  test('are all exposed without those of the database while it is down, and include them again when it is back', async () => {
    await sql`insert into dead_letter (queue, message_id, actor_id, data, reason)
      values ('engine', 'test:1', null, '{}', 'a test')`.execute(db());
    await sql`insert into operator_alert (alert, actor_id, detail)
      values ('coins_after_monitoring', null, 'a test')`.execute(db());
    await line?.cut();
    await waitFor(
      async () => ((await look()).sum('quittance_database_up') === 0 ? true : null),
      () => 'nothing says that the database is away',
    );
    const seen = await look();
    for (const name of [
      'quittance_outbox_messages',
      'quittance_actors',
      'quittance_chain_lag_blocks',
      'quittance_dead_letters_open',
    ]) {
      expect(seen.sum(name)).toBeNull();
    }
    expect(seen.sum('quittance_ready')).toBe(0);
    expect(seen.sum('quittance_engine_steps_total')).toBeGreaterThan(0);
    expect(seen.sum('quittance_bus_up')).toBe(1);
    await line?.repair();
    await waitFor(
      async () => ((await look()).sum('quittance_database_up') === 1 ? true : null),
      () => 'nothing says that the database is back',
    );
    const back = await look();
    expect(back.sum('quittance_dead_letters_open')).toBe(1);
    expect(back.sum('quittance_operator_alerts_open', { alert: 'coins_after_monitoring' })).toBe(1);
  });
});

// Helpers

function db(): TestDatabase['db'] {
  if (database === undefined) throw new Error('there is no database yet');
  return database.db;
}

function look(): Promise<Scrape> {
  return scrape(harness.shop.service.monitorUrl);
}

async function databaseOverLine(): Promise<string> {
  database = await createPostgresDatabase();
  const reached = await createDatabaseLine(database);
  line = reached.line;
  return reached.url;
}

/** Some payments are paid and some are not; one webhook is rejected the first time. */
async function work(): Promise<void> {
  const { shop, customer } = harness;
  shop.receiver.plan({ kind: 'status', status: 500 });
  const paid = [];
  for (let index = 0; index < PAID; index += 1) paid.push(await shop.create());
  for (let index = 0; index < UNPAID; index += 1) await shop.create();
  await waitFor(
    async () => shop.receiver.requests.length >= PAID + UNPAID || null,
    () => 'the first webhooks never came',
  );
  // The first retry delay of the rejected one.
  harness.world.advance(60_000);
  for (const transaction of paid) await customer.pay(transaction.deposit_address, dueLitoshi(transaction));
  await customer.mine(CONFIRMATIONS);
  for (const { transaction_id: id } of paid) {
    paidId = id;
    await comesTo(harness, id, 'completed');
    await expectWebhooks(shop, id, ['created', 'pending', 'completed'], { mayRepeat: true });
  }
  await waitFor(
    async () => shop.receiver.requests.length >= PAID * 3 + UNPAID + 1 || null,
    () => `webhooks are missing: there are ${shop.receiver.requests.length}`,
  );
}

interface JournalCount {
  readonly kind: string;
  readonly outcome: string;
  readonly entries: number;
}

async function journalCounts(): Promise<readonly JournalCount[]> {
  const { rows } = await sql<JournalCount>`
    select actor.kind, outcome, count(*) as entries from journal_entry join actor on actor.id = actor_id
    group by actor.kind, outcome`.execute(db());
  return rows;
}
