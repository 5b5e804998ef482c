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
  environment: Environment;
  timeline: Timeline;
}): Promise<Finding[]> {
  const { options, environment, timeline } = deps;
  const random = createRandom(options.seed);
  const deadline = createDeadline(options.seconds - timeline.seconds());
  const { db, close } = await environment.connectDatabase();
  const urls = environment.fleet.members.flatMap(({ url }) => url ?? []);
  const client = createMerchantClient({ urls, random: random.fork('shop'), deadline });
  const progress = setInterval(() => printProgress(timeline, client), PROGRESS_EVERY_MS);
  try {
    const slowness = await waitForTheFleet(deps, deadline);
    const chain = await createLitecoinChain(environment.world);
    const ethereum = await createEthereumChain({
      ...environment,
      clock: environment.world,
      random: random.fork('branches'),
    });
    timeline.log(`the storm begins; times between faults are ${slowness.toFixed(1)} times the usual`);
    const storm = startStorm({ ...deps, random: random.fork('storm'), only: options.only, slowness });
    const payments: ChaosPayment[] = [];
    try {
      payments.push(
        ...(await runRounds({
          options,
          environment,
          chain,
          ethereum,
          client,
          db,
          deadline,
          timeline,
          slowness,
          random,
        })),
      );
    } finally {
      await storm.end();
    }
    timeline.log(`the storm is over: ${payments.length} payments were made; waiting for rest`);
    environment.receivers.behave();
    await chain.mine(FINAL_BLOCKS);
    await ethereum.mine(FINAL_ETHEREUM_BLOCKS);
    await waitUntilIdle({ db, environment, deadline });
    timeline.log('everything is at rest');
    return await check({ environment, chain, ethereum, client, db, payments });
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
  { environment }: Pick<Parameters<typeof runChaos>[0], 'environment'>,
  deadline: Deadline,
): Promise<number> {
  const { members, startedAt } = environment.fleet;
  await deadline.until(
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
  readonly environment: Environment;
  readonly chain: LitecoinChain;
  readonly ethereum: EthereumChain;
  readonly client: MerchantClient;
  readonly db: Kysely<Database>;
  readonly payments: readonly ChaosPayment[];
}): Promise<Finding[]> {
  const { environment, chain, ethereum, client, db, payments } = deps;
  const { merchant, receivers, fleet } = environment;
  const live = payments.filter(({ network }) => network !== 'simulated');
  const simulated = payments.filter(({ network }) => network === 'simulated');
  const views = new Map([
    ...(await readViews(client, merchant.liveKey, live)),
    ...(await readViews(client, merchant.testKey, simulated)),
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
    ...(await checkRecords({ db, payments, client, merchant })),
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
  client: MerchantClient,
  key: string,
  payments: readonly ChaosPayment[],
): Promise<Map<string, TransactionView>> {
  const views = new Map<string, TransactionView>();
  for (let start = 0; start < payments.length; start += IDS_PER_LIST) {
    const ids = payments.slice(start, start + IDS_PER_LIST).map(({ id }) => id);
    for (const view of await client.list(key, ids)) views.set(view.transaction_id, view);
    // Lets webhooks and servers of this process run.
    await sleep(0);
  }
  return views;
}
