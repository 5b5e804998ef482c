import { sql } from 'kysely';
import type { Mode, TransactionType } from '../../machines/index.ts';
import { applyPurchases, createCompletionCounter, createPlanAdmission } from '../../src/billing/index.ts';
import type { Observation, OutputStatus } from '../../src/chains/index.ts';
import { attachWallet, createWalletFinder, upsertMerchant } from '../../src/merchants/index.ts';
import { createTransactionKind } from '../../src/payments/index.ts';
import type { Clock } from '../../src/platform/clock.ts';
import {
  type Crash,
  createEngine,
  createKindRegistry,
  dueTimersOf,
  type Engine,
  saveWatermark,
  timerCommand,
} from '../../src/platform/engine/index.ts';
import { newId } from '../../src/platform/ids.ts';
import type { TestClock } from '../support/clock.ts';
import type { TestDatabase } from '../support/database/test-database.ts';
import { EMPTY_ATTACHMENT } from '../support/empty-attachment.ts';
import { createTestWallet } from '../support/nodes/wallet.ts';
import { silentLog } from '../support/silent-log.ts';

/** Payments of real merchants through the real engine, with all billing writes of their commits. */

export type Db = TestDatabase['db'];
const LIVE_NETWORK = 'litecoin-regtest';
const DUE = 1_000_000n;

let merchants = 0;

/** An engine as in one process of the service. */
export function createBillingEngine(db: Db, clock: Clock, crash?: Crash, plansEnabled = true): Engine {
  const kind = createTransactionKind({
    publicUrl: 'http://127.0.0.1',
    ...(plansEnabled ? { admission: createPlanAdmission({ clock }) } : {}),
    onCompleted: [createCompletionCounter({ plansEnabled }), applyPurchases],
  });
  const crashing = crash === undefined ? {} : { crash };
  return createEngine({ db, kinds: createKindRegistry([kind]), clock, log: silentLog, ...crashing });
}

/** A merchant with a live wallet on a plan that does not end. */
export async function addMerchant(db: Db, plan = 'starter'): Promise<string> {
  merchants += 1;
  const name = `Billed shop ${process.pid} ${merchants}`;
  const spec = { crypto: 'LTC', extendedPublicKey: createTestWallet('billing').extendedPublicKey } as const;
  return db.transaction().execute(async (trx) => {
    const { id } = await upsertMerchant(trx, { name, email: 'shop@example.com', plan, settings: {} });
    await attachWallet(trx, { merchantId: id, mode: 'live', spec, networkKind: 'regtest' });
    return id;
  });
}

export interface StartOptions {
  readonly type?: TransactionType;
  readonly mode?: Mode;
  readonly network?: string;
  readonly onStarted?: (
    trx: Parameters<Parameters<ReturnType<Db['transaction']>['execute']>[0]>[0],
    id: string,
  ) => Promise<void>;
}

/** Starts a payment of one hundredth of a coin. Rejects with the error its caller would get. */
export async function startPayment(
  { db, engine }: { db: Db; engine: Engine },
  merchantId: string,
  { type = 'basic', mode = 'live', network = LIVE_NETWORK, onStarted }: StartOptions = {},
): Promise<string> {
  const owner = network === LIVE_NETWORK ? merchantId : null;
  const walletMode = owner === null ? 'test' : 'live';
  const wallet = await createWalletFinder({ db }).find({ merchantId: owner, mode: walletMode, crypto: 'LTC', network });
  const transactionId = newId('txn');
  await engine.start({
    kind: 'transaction',
    actorId: transactionId,
    startKey: null,
    input: {
      transactionId,
      merchantId,
      mode,
      type,
      crypto: 'LTC',
      network,
      dueBaseUnits: DUE.toString(),
      toleranceBaseUnits: '5000',
      confirmationsRequired: 3,
      confirmationDeadlineMs: 86_400_000,
      windowMs: 1_800_000,
      quote: {
        amountFiat: '1',
        currencyFiat: 'USD',
        amountUsd: '1',
        amountCrypto: '0.01',
        fiatToUsdRate: '1',
        exchangeRate: '100',
      },
    },
    attachment: {
      ...EMPTY_ATTACHMENT,
      derivationKeyId: wallet.derivationKeyId,
      ratesAt: Date.now(),
      ...(onStarted === undefined ? {} : { onStarted }),
    },
  });
  return transactionId;
}

/** The watcher's report about the one output that pays a transaction. */
export function report(
  id: string,
  order: number,
  status: OutputStatus,
  firstSeenAt: number,
  amountBaseUnits = DUE,
): Observation {
  return {
    network: LIVE_NETWORK,
    outputId: `${id}-coins:0`,
    txid: `${id}-coins`,
    watchKey: 'unused',
    asset: 'LTC',
    amountBaseUnits,
    order,
    firstSeenAt,
    status,
  };
}

/**
 * Advances the clock, keeps the network's watermark current, and fires due timers in every process.
 */
export async function passTime({ db, engines, clock, ids }: Harness, byMs: number): Promise<void> {
  clock.advance(byMs);
  await saveWatermark(db, { gate: LIVE_NETWORK, reachedAt: clock.now(), height: null });
  for (const actorId of ids) {
    for (const timer of await dueTimersOf(db, { actorId, now: clock.now() })) {
      await Promise.all(engines.map((engine) => engine.deliver(timerCommand(timer))));
    }
  }
}

export interface Harness {
  readonly db: Db;
  readonly engines: readonly Engine[];
  readonly clock: TestClock;
  /** The payments whose timers fire. */
  readonly ids: readonly string[];
}

/** The counter's values by month. */
export async function usageOf(db: Db, merchantId: string): Promise<Record<string, number>> {
  const rows = await db.selectFrom('monthly_usage').selectAll().where('merchant_id', '=', merchantId).execute();
  return Object.fromEntries(rows.map(({ month, used }) => [month, used]));
}

/**
 * The same from the journal, independently of the counter: the first step of each payment that ends
 * in `completed`.
 */
export async function completionsInJournal(db: Db, ids: readonly string[]): Promise<Record<string, number>> {
  const { rows } = await sql<{ month: string; done: number }>`
    select to_char(completed_at at time zone 'UTC', 'YYYY-MM') as month, count(*) as done
    from (
      select min(journal_entry.at) as completed_at from journal_entry
      where actor_id = any(${ids}::text[]) and state in ('completed', 'closedCompleted')
        and outcome in ('started', 'applied')
      group by actor_id
    ) as completions group by month`.execute(db);
  return Object.fromEntries(rows.map(({ month, done }) => [month, done]));
}
