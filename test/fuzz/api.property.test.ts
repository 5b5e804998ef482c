import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPostgresDatabase, describePostgres, type TestDatabase } from '../support/database/test-database.ts';
import { type Receiver, startReceiver } from '../support/outside/receiver.ts';
import { assertAsyncProperty } from '../support/run/fast-check.ts';
import { level } from '../support/run/level.ts';
import { startApp, type TestApp } from '../support/service/app.ts';
import { LOOPBACK } from '../webhooks/harness.ts';
import { createCheck, type Exchange } from './check.ts';
import { createCoverage } from './coverage.ts';
import { fillIn } from './fill-in.ts';
import {
  createFixtures,
  type Fixtures,
  OPERATOR_MERCHANT,
  OPERATOR_TOKEN,
  type Scope,
  SHOPS,
  type Shop,
  TIGHT_PLAN,
} from './fixtures.ts';
import { createLedger } from './ledger.ts';
import { MARKED, openingRequests } from './opening.ts';
import { readOperations } from './operations.ts';
import { recordCreated } from './record-created.ts';
import { anyRequests, type FuzzRequest } from './requests.ts';
import { createSender, type Sender } from './send.ts';
import { createReadings, isSoak } from './soak.ts';
import { createWatchedLog } from './watched-log.ts';
import { FIRST_RESPONSES, leakedWebhooks, shopsNotified } from './webhooks.ts';
import { countRows, settle } from './writes.ts';

const REQUESTS = level.pick({ quick: 1_200, full: 20_000 });
/** Requests sent concurrently, as in production. */
const BATCH = 80;
/**
 * One batch in this many is sent sequentially, and the rows each request writes are counted: slow
 * in large tables.
 */
const WATCHED_EVERY = isSoak ? 256 : 32;
const TIME_LIMIT_MS = 300_000;
const LIMIT = isSoak ? {} : { interruptAfterTimeLimit: TIME_LIMIT_MS };

const WRITING: ReadonlySet<string> = new Set(['POST', 'PATCH', 'DELETE']);

const PLENTY = { perMinute: 1_000_000, perHour: 1_000_000 };
const TIGHT = { perMinute: 60, perHour: 60 };
const PLANS = {
  anonymous: PLENTY,
  termsOf: async (plan: string) => ({ requests: plan === TIGHT_PLAN ? TIGHT : PLENTY, ipWhitelist: true }),
};

describePostgres('the merchant API, under requests that its document allows and forbids', () => {
  const operations = readOperations();
  const ledger = createLedger();
  const coverage = createCoverage(operations);
  const problemsOf = createCheck(operations, ledger);
  const batches = fc.array(anyRequests(operations), { minLength: BATCH, maxLength: BATCH });
  // Slugs are chosen by shops, so that several can have the same.
  const idNames = operations.flatMap(({ parameters }) =>
    parameters.flatMap((each) => (each.in === 'path' && each.name !== 'slug' ? each.name : [])),
  );
  let database: TestDatabase;
  let app: TestApp;
  let fixtures: Fixtures;
  let sender: Sender;
  let receiver: Receiver;
  const watched = createWatchedLog();
  const leaked: string[] = [];
  const notified = new Set<Shop>();
  let requested = 0;

  beforeAll(async () => {
    database = await createPostgresDatabase();
    receiver = await startReceiver();
    receiver.plan(...FIRST_RESPONSES);
    app = await startApp({
      connection: database,
      log: watched.log,
      liveRates: { LTC: '80', EUR: '1.08', PLN: '0.25', GBP: '1.27' },
      operatorMerchant: OPERATOR_MERCHANT,
      operatorToken: OPERATOR_TOKEN,
      plans: PLANS,
      trustedProxies: ['127.0.0.1'],
      webhooks: LOOPBACK,
    });
    fixtures = await createFixtures(app, { markOf: ledger.markOf, receiver: new URL(receiver.url).origin });
    for (const key of fixtures.keys.values()) ledger.enter(key, []);
    watched.watchFor(fixtures.keys.values());
    sender = createSender(await app.listen());
    for (const request of openingRequests()) await ask(request);
  });
  afterAll(async () => {
    sender.close();
    await app.stop();
    await receiver.close();
    await database.drop();
  });

  /** Sends a request; throws with all problems of the response. */
  async function ask(request: FuzzRequest): Promise<Exchange> {
    const filled = fillIn(request, fixtures, ledger);
    requested += 1;
    const exchange = { request, filled, response: await sender.send(filled.sent) };
    if (request.operation !== null) coverage.count(request.operation, exchange.response.status);
    const problems = problemsOf(exchange);
    if (problems.length > 0) throw new Error(explain(exchange, problems));
    recordCreated(exchange, ledger, idNames);
    return exchange;
  }

  /** Rejected requests and reads must not write anything. */
  async function askAndCount(request: FuzzRequest): Promise<void> {
    const before = await countRows(app);
    const exchange = await ask(request);
    const mayWrite = exchange.response.status < 400 && (WRITING.has(request.method) || request.path === '/pay');
    if (mayWrite) await settle(database.db);
    else expect(await countRows(app), explain(exchange, ['it wrote'])).toEqual(before);
  }

  /**
   * Returns payments and recurring payment requests that the ledger does not record under their
   * owner: a rejected request created them, or the response went to another scope.
   */
  async function wronglyStarted(): Promise<string[]> {
    const payments = await database.db.selectFrom('transaction').select(['id', 'merchant_id', 'mode']).execute();
    const schedules = await database.db.selectFrom('schedule').select(['id', 'merchant_id', 'mode']).execute();
    const isNotified = ({ id, merchant_id: merchantId, mode }: (typeof payments)[number]) =>
      ledger.ownersOf(id).some((scope) => scope === `${fixtures.merchantIds.get(merchantId)}.${mode}`);
    return [...payments, ...schedules].filter((row) => !isNotified(row)).map(({ id }) => id);
  }

  /** Checks and clears the webhooks received since the last call. */
  function checkWebhooks(): void {
    const received = receiver.take();
    leaked.push(...leakedWebhooks(received, ledger));
    for (const shop of shopsNotified(received, ledger)) notified.add(shop);
  }

  /**
   * Whether scopes that submitted marked texts get them back; otherwise nothing could have leaked.
   */
  async function readersOfMarks(): Promise<(readonly [Scope, boolean])[]> {
    return Promise.all(
      MARKED.map(async (scope) => {
        const key = fixtures.keys.get(scope.replace('.', '.sk_')) ?? null;
        const { text } = await app.call({ path: '/transactions/list?limit=100', key });
        return [scope, text.includes(ledger.markOf(scope))] as const;
      }),
    );
  }

  test(`${REQUESTS} requests: none fails or hangs, each is answered as documented, and no merchant sees data of another`, {
    timeout: isSoak ? 0 : TIME_LIMIT_MS,
  }, async () => {
    const seed = Number(process.env.FC_SEED ?? Date.now() % 2 ** 31);
    console.log(`fuzz: ${REQUESTS} requests, FC_SEED=${seed} repeats them`);
    const read = createReadings();
    let batch = 0;
    await assertAsyncProperty(
      fc.asyncProperty(batches, async (requests) => {
        batch += 1;
        if (batch % WATCHED_EVERY > 0) {
          await Promise.all(requests.flatMap((request) => Array.from({ length: request.copies }, () => ask(request))));
          return;
        }
        await settle(database.db);
        for (const request of requests) await askAndCount(request);
        checkWebhooks();
        read(requested);
      }),
      { numRuns: REQUESTS / BATCH, seed, endOnFailure: true, ...LIMIT },
    );
    // Fewer only when FC_RUNS or FC_PATH ask for it.
    if (requested < REQUESTS)
      expect(process.env.FC_RUNS ?? process.env.FC_PATH, `only ${requested} requests`).toBeDefined();
    // Only the requests of the full level reach every operation and status.
    else if (level.isFull) expect(coverage.gaps()).toBeNull();
    await settle(database.db);
    expect(await wronglyStarted()).toEqual([]);
    checkWebhooks();
    expect(leaked).toEqual([]);
    expect([...notified].sort()).toEqual([...SHOPS].sort());
    expect(watched.leaks).toEqual([]);
    expect(watched.lines).toBeGreaterThan(0);
    expect(await readersOfMarks()).toEqual(MARKED.map((scope) => [scope, true]));
  });
});

// Helpers

function explain({ request, filled, response }: Exchange, problems: readonly string[]): string {
  const { sent } = filled;
  return [
    `${request.flavour} request of ${request.key ?? 'nobody'}: ${problems.join('; ')}`,
    `${sent.method} ${sent.target} ${JSON.stringify(sent.headers)}`,
    sent.body === null ? 'no body' : String(sent.body).slice(0, 2_000),
    `was answered ${response.status} ${JSON.stringify(response.headers)}`,
    response.text.slice(0, 2_000),
  ].join('\n');
}
