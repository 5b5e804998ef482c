import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { UnixMs } from '../../../machines/index.ts';
import { type Caller, callerForMerchant, createWalletFinder } from '../../../src/merchants/index.ts';
import {
  type CreateDeps,
  createChainOverview,
  createClientHash,
  createIdempotencyLookup,
  createPaymentNetworks,
  type SimulateDeps,
  simulate,
} from '../../../src/payments/index.ts';
import type { Connection } from '../../../src/platform/db/index.ts';
import type { Engine } from '../../../src/platform/engine/index.ts';
import { createRates } from '../../../src/rates/index.ts';
import { createCustomerLinks, createSchedule, decideAsCustomer, openPeriod } from '../../../src/recurring/index.ts';
import { createAddressSupply } from '../../../src/wallets/index.ts';
import { createTestClock, type TestClock } from '../clock.ts';
import { silentLog } from '../silent-log.ts';
import { PUBLIC_URL, TOKENS } from './recurring.ts';

/**
 * Current phase of the scenario: what the customers do, or the timer to which the clock was
 * advanced.
 */
export type Phase =
  | 'start'
  | 'confirm'
  | 'pay'
  | 'completed'
  | 'period_due'
  | 'reminder_due'
  | 'unpaid_due'
  | 'confirmation_expired';

export interface Scenario {
  readonly connection: Connection;
  readonly engine: Engine;
  readonly clock: TestClock;
  readonly merchantId: string;
  /** The clock does not advance beyond this. */
  readonly until: UnixMs;
  readonly onPhase: (phase: Phase) => void;
}

/** What a customer does in each period; every customer has three monthly periods. */
interface Customer {
  readonly name: string;
  readonly confirms?: true;
  readonly pays?: (period: Period) => boolean;
  readonly stops?: (period: Period) => boolean;
}

export const CUSTOMERS: readonly Customer[] = [
  { name: 'prompt', confirms: true, pays: ({ status }) => status === 'awaited' },
  { name: 'late', confirms: true, pays: ({ period_no, status }) => period_no === 2 && status === 'unpaid' },
  { name: 'leaving', confirms: true, stops: ({ reminders_sent }) => reminders_sent === 1 },
  { name: 'silent' },
];

/** 30 January 2027, 10:00 UTC: a day before the first period. */
export const SCENARIO_BEGINS = Date.UTC(2027, 0, 30, 10);
export const FIRST_DUE = Date.UTC(2027, 0, 31, 9);
/** After the end of the last period. */
export const SCENARIO_ENDS = Date.UTC(2027, 3, 8);

const POLL_MS = 5;

/**
 * Runs the scenario: all customers act, then the clock advances to the next due time, and so on.
 * Restarted after a crash, it resumes from the state of the rows.
 */
export async function runScenario(scenario: Scenario): Promise<void> {
  const addresses = createAddressSupply({ db: scenario.connection.db, log: silentLog });
  try {
    await runPhases(scenario, await gather(scenario, addresses));
  } finally {
    await addresses.stop();
  }
}

// Helpers

async function runPhases(scenario: Scenario, deps: CustomerDeps): Promise<void> {
  const { connection, clock, until, onPhase } = scenario;
  onPhase('start');
  await Promise.all(CUSTOMERS.map(({ name }) => start(deps, name)));
  await waitUntilIdle(scenario);
  onPhase('confirm');
  const schedules = await readSchedules(connection);
  await Promise.all(
    schedules
      .filter(({ customer, status }) => customer.confirms && status === 'pending_confirmation')
      .map(({ id }) => decideAsCustomer(deps, 'confirm', TOKENS({ purpose: 'confirm', scheduleId: id }))),
  );
  for (;;) {
    await waitUntilIdle(scenario);
    await actAll(deps, onPhase);
    await waitUntilIdle(scenario);
    const next = await nextMoment(connection);
    if (next === null || next.at > until) return;
    onPhase(next.name as Phase);
    clock.advance(Math.max(next.at - clock.now(), 0));
  }
}

interface CustomerDeps extends CreateDeps, SimulateDeps {
  readonly caller: Caller;
}

interface Period {
  readonly schedule_id: string;
  readonly period_no: number;
  readonly status: string;
  readonly reminders_sent: number;
}

async function gather(
  { connection: { db }, engine, clock, merchantId }: Scenario,
  addresses: CreateDeps['addresses'],
): Promise<CustomerDeps> {
  // A separate clock, because the age of sample rates must not follow the clock of the scenario.
  const rates = createRates({ clock: createTestClock(), log: silentLog, sources: [] });
  await rates.start();
  rates.stop();
  return {
    db,
    engine,
    clock,
    rates,
    networks: createPaymentNetworks({ live: { kinds: {} }, test: 'simulated' }),
    wallets: createWalletFinder({ db }),
    addresses,
    findByIdempotencyKey: createIdempotencyLookup(db),
    overview: createChainOverview({ db, clock, networks: [] }),
    publicUrl: PUBLIC_URL,
    caller: await callerForMerchant(db, { merchantId, mode: 'test' }),
  };
}

function start(deps: CustomerDeps, name: string): Promise<unknown> {
  const request = {
    reference: name,
    customerEmail: `${name}@customers.example`,
    amount: 25,
    currencyFiat: 'USD',
    interval: 'monthly',
    description: `Coffee for ${name}`,
    crypto: 'LTC',
    startAt: FIRST_DUE,
    maxPeriods: 3,
    metadata: null,
    successUrl: null,
  } as const;
  return createSchedule(deps, deps.caller, request, `start ${name}`);
}

async function readSchedules({ db }: Pick<Connection, 'db'>) {
  const rows = await db.selectFrom('schedule').select(['id', 'reference', 'status']).orderBy('reference').execute();
  return rows.map(({ id, reference, status }) => {
    const customer = CUSTOMERS.find(({ name }) => name === reference);
    if (customer === undefined) throw new Error(`no customer is called ${reference}`);
    return { id, status, customer };
  });
}

async function actAll(deps: CustomerDeps, onPhase: Scenario['onPhase']): Promise<void> {
  for (const { id, status, customer } of await readSchedules(deps)) {
    if (status !== 'active') continue;
    const periods = deps.db.selectFrom('schedule_period').selectAll().where('schedule_id', '=', id);
    for (const period of await periods.orderBy('period_no').execute()) {
      if (customer.stops?.(period)) {
        await decideAsCustomer(deps, 'stop', TOKENS({ purpose: 'stop', scheduleId: id }));
      }
      if (customer.pays?.(period)) {
        onPhase('pay');
        await pay(deps, period);
      }
    }
  }
}

/** Follows the payment link of the email and sends the coins, skipping steps already done. */
async function pay(deps: CustomerDeps, { schedule_id: scheduleId, period_no: periodNo }: Period): Promise<void> {
  const links = createCustomerLinks({ publicUrl: PUBLIC_URL, tokens: TOKENS });
  const opening = { ...deps, clientHash: createClientHash(new Uint8Array(32)), links };
  const transactionId = await openPeriod(opening, TOKENS({ purpose: 'pay', scheduleId, periodNo }), 'LTC');
  if (transactionId === null) throw new Error('the link of an email leads nowhere');
  const { db, caller } = deps;
  const payment = db.selectFrom('transaction').select('status').where('id', '=', transactionId);
  const readStatus = async () => (await payment.executeTakeFirstOrThrow()).status;
  if ((await readStatus()) === 'pending') await simulate(deps, caller, transactionId, { action: 'pay' });
  try {
    await simulate(deps, caller, transactionId, { action: 'confirm' });
  } catch (error) {
    // The verification that a killed process requested may be answered first.
    if ((await readStatus()) !== 'completed') throw error;
  }
}

/** Resolves when no due timer, message, queued mail or unprocessed completion is left. */
async function waitUntilIdle({ connection: { db }, clock }: Scenario): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ left: number }>`
      select (
        (select count(*) from outbox_message) + (select count(*) from mail where state = 'queued')
        + (select count(*) from timer left join watermark using (gate)
            where (gate is null and fires_at <= ${new Date(clock.now())}) or timer.height <= watermark.height)
        + (select count(*) from schedule_attempt join transaction on transaction.id = transaction_id
            join schedule_period using (schedule_id, period_no)
            where transaction.status = 'completed' and schedule_period.status <> 'paid')
      )::int4 as left`.execute(db);
    if (rows[0]?.left === 0) return;
    await sleep(POLL_MS);
  }
}

async function nextMoment({ db }: Connection): Promise<{ readonly at: UnixMs; readonly name: string } | null> {
  const { rows } = await sql<{ at: UnixMs; name: string }>`
    select fires_at as at, name from timer where gate is null order by fires_at, name limit 1`.execute(db);
  return rows[0] ?? null;
}
