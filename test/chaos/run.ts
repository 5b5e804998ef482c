import { setTimeout as sleep } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { TransactionView } from '../../src/payments/index.ts';
import type { Database } from '../../src/platform/db/index.ts';
import { checkEndings } from './checker/endings.ts';
import { coinsOnChain, coinsOnEthereum, coinsSimulated } from './checker/final-coins.ts';
import { checkHistories, readHistories } from './checker/histories.ts';
import { checkJournals } from './checker/journals.ts';
import { checkRecords, readEventIds } from './checker/records.ts';
import { type Finding, finding } from './checker/violation.ts';
import { waitUntilIdle } from './checker/wait-until-idle.ts';
import { checkWebhooks } from './checker/webhooks.ts';
import { createDeadline, type Deadline, DeadlineExceeded } from './deadline.ts';
import type { Environment } from './environment/environment.ts';
import { startStorm } from './faults/storm.ts';
import type { ChaosOptions } from './options.ts';
import { createRandom } from './random.ts';
import type { Timeline } from './timeline.ts';
import { createEthereumChain, type EthereumChain } from './workload/ethereum-chain.ts';
import { createLitecoinChain, type LitecoinChain } from './workload/litecoin-chain.ts';
import { createMerchantClient, type MerchantClient } from './workload/merchant-client.ts';
import type { ChaosPayment } from './workload/payment.ts';
import { runRounds } from './workload/rounds.ts';

/** More confirmations than any payment needs, and deeper than any reorganisation. */
const FINAL_BLOCKS = 8;
const FINAL_ETHEREUM_BLOCKS = 16;
/** Six processes start at once on two idle processors. */
const USUAL_START_MS = 6_000;
const PROGRESS_EVERY_MS = 10_000;
const IDS_PER_LIST = 100;

/** Plays all payments during the faults, waits until the service is idle, and checks the result. */
export async function runChaos(deps: {
  options: ChaosOptions;
  stage: Environment;
  timeline: Timeline;
}): Promise<Finding[]> {
  const { options, stage, timeline } = deps;
  const random = createRandom(options.seed);
  const patience = createDeadline(options.seconds - timeline.seconds());
  const { db, close } = await stage.connectDatabase();
  const urls = stage.fleet.members.flatMap(({ url }) => url ?? []);
  const shop = createMerchantClient({ urls, random: random.fork('shop'), patience });
  const progress = setInterval(() => printProgress(timeline, shop), PROGRESS_EVERY_MS);
  try {
    const slowness = await waitForTheFleet(deps, patience);
    const chain = await createLitecoinChain(stage.world);
    const ethereum = await createEthereumChain({ ...stage, random: random.fork('branches') });
    timeline.log(`the storm begins; times between faults are ${slowness.toFixed(1)} times the usual`);
    const storm = startStorm({ ...deps, random: random.fork('storm'), only: options.only, slowness });
    const payments: ChaosPayment[] = [];
    try {
      payments.push(
        ...(await runRounds({ options, stage, chain, ethereum, shop, db, patience, timeline, slowness, random })),
      );
    } finally {
      await storm.end();
    }
    timeline.log(`the storm is over: ${payments.length} payments were made; waiting for rest`);
    stage.receivers.behave();
    await chain.mine(FINAL_BLOCKS);
    await ethereum.mine(FINAL_ETHEREUM_BLOCKS);
    await waitUntilIdle({ db, stage, patience });
    timeline.log('everything is at rest');
    return await check({ stage, chain, ethereum, shop, db, payments });
  } catch (error) {
    if (!(error instanceof DeadlineExceeded)) throw error;
    return [finding('the run comes to rest in time', 1, [error.message])];
  } finally {
    clearInterval(progress);
    await close();
  }
}

// Helpers

/**
 * How many times longer than usual this machine takes to start the service; at least 1, so a fast
 * machine does not get shorter pauses.
 */
async function waitForTheFleet(
  { stage }: Pick<Parameters<typeof runChaos>[0], 'stage'>,
  patience: Deadline,
): Promise<number> {
  const { members, startedAt } = stage.fleet;
  await patience.until(
    async () => members.every((member) => member.isReady()) || null,
    () => `${members.filter((member) => !member.isReady()).map(({ name }) => name)} did not start`,
  );
  return Math.max(1, (performance.now() - startedAt) / USUAL_START_MS);
}

function printProgress(timeline: Timeline, { responses, counts }: MerchantClient): void {
  timeline.log(
    `${responses.size} payments created; ${counts.requests} requests, ${counts.retried} of them to be repeated`,
  );
}

async function check(deps: {
  readonly stage: Environment;
  readonly chain: LitecoinChain;
  readonly ethereum: EthereumChain;
  readonly shop: MerchantClient;
  readonly db: Kysely<Database>;
  readonly payments: readonly ChaosPayment[];
}): Promise<Finding[]> {
  const { stage, chain, ethereum, shop, db, payments } = deps;
  const { merchant, receivers, fleet } = stage;
  const live = payments.filter(({ network }) => network !== 'simulated');
  const simulated = payments.filter(({ network }) => network === 'simulated');
  const views = new Map([
    ...(await readViews(shop, merchant.liveKey, live)),
    ...(await readViews(shop, merchant.testKey, simulated)),
  ]);
  const coins = new Map([
    ...(await coinsOnChain(chain, live)),
    ...(await coinsOnEthereum(ethereum, live)),
    ...(await coinsSimulated(db, simulated)),
  ]);
  const findings = [
    ...checkEndings({ payments, views, coins }),
    checkHistories({ payments, coins, histories: await readHistories(db) }),
    ...checkWebhooks({ payments, views, receivers, written: await readEventIds(db) }),
    ...(await checkJournals(db)),
    ...(await checkRecords({ db, payments, shop, merchant })),
  ];
  // Last, because it stops the processes.
  const badEnds = await fleet.stop();
  const processes = [...fleet.ownEnds, ...badEnds];
  return [
    ...findings,
    finding('no process ended by itself, and all end when asked to', fleet.members.length, processes),
  ];
}

async function readViews(
  shop: MerchantClient,
  key: string,
  payments: readonly ChaosPayment[],
): Promise<Map<string, TransactionView>> {
  const views = new Map<string, TransactionView>();
  for (let start = 0; start < payments.length; start += IDS_PER_LIST) {
    const ids = payments.slice(start, start + IDS_PER_LIST).map(({ id }) => id);
    for (const view of await shop.list(key, ids)) views.set(view.transaction_id, view);
    // Lets webhooks and servers of this process run.
    await sleep(0);
  }
  return views;
}
