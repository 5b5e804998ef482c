import type { Kysely } from 'kysely';
import { HOUR_MS, MINUTE_MS } from '../../../machines/index.ts';
import type { Database } from '../../../src/platform/db/index.ts';
import type { Deadline } from '../deadline.ts';
import type { Environment } from '../environment/environment.ts';
import type { ChaosOptions } from '../options.ts';
import type { Random } from '../random.ts';
import type { Timeline } from '../timeline.ts';
import type { EthereumChain } from './ethereum-chain.ts';
import { createEthereumPayers, type EthereumPayers } from './ethereum-payers.ts';
import { inParallel } from './in-parallel.ts';
import type { LitecoinChain } from './litecoin-chain.ts';
import { createLitecoinPayers, type LitecoinPayers } from './litecoin-payers.ts';
import type { MerchantClient } from './merchant-client.ts';
import { createObservedState } from './observed-state.ts';
import { tryOldWebhooks } from './old-webhooks.ts';
import { type ChaosPayment, paymentOf } from './payment.ts';
import { drawPlans, NEEDS_OBSERVATION, type PlanName } from './plans.ts';
import { createSimulatedPayers, type SimulatedPayers } from './simulated-payers.ts';

export interface RoundsDeps {
  readonly options: ChaosOptions;
  readonly environment: Environment;
  readonly chain: LitecoinChain;
  readonly ethereum: EthereumChain;
  readonly client: MerchantClient;
  readonly db: Kysely<Database>;
  readonly deadline: Deadline;
  readonly timeline: Timeline;
  readonly slowness: number;
  readonly random: Random;
}

/** Plan of one round, drawn from the seed before the first round begins. */
interface Round {
  readonly number: number;
  readonly wishes: readonly Wish[];
  /** The node is unreachable while windows open and close, for hours of the chain's time. */
  readonly isAway: boolean;
  /** Payments made in that time are mined when the node returns, not only in its mempool. */
  readonly isMinedMeanwhile: boolean;
  readonly jumpMs: number;
  readonly reorganisations: readonly number[];
}

interface Wish {
  readonly number: number;
  readonly network: ChaosPayment['network'];
  readonly crypto: ChaosPayment['crypto'];
  readonly plan: PlanName;
  readonly priceCents: number;
}

/** Percentage of payments on each of the real chains. */
const LITECOIN_SHARE = 30;
const ETHEREUM_SHARE = 15;
/** Plans that need a watcher with a mempool. */
const NEEDS_MEMPOOL: ReadonlySet<PlanName> = new Set(['taken_back', 'taken_back_and_paid', 'taken_back_late']);
const AWAY_EVERY_ROUNDS = 6;
const REQUESTS_AT_ONCE = 12;
const CONFIRMATIONS = 3;
const ETHEREUM_CONFIRMATIONS = 13;
const PAID_LATE_WINDOW_MS = 6 * HOUR_MS;

/** Plays all payments in rounds: the payments of a round open and close together. */
export async function runRounds(deps: RoundsDeps): Promise<ChaosPayment[]> {
  const { options, environment, chain, ethereum, deadline, timeline, random } = deps;
  const { liveKey, testKey } = environment.merchant;
  const now = () => environment.world.now();
  const observed = createObservedState({ ...deps, key: liveKey });
  const litecoinPayers = createLitecoinPayers({ chain, observed, random: random.fork('chain'), now });
  const ethereumPayers = createEthereumPayers({
    ethereum,
    observed,
    random: random.fork('ethereum'),
    movesLogs: options.only.has('moved-logs'),
    log: (what) => timeline.log(what, 'moved-logs'),
  });
  const simulated = createSimulatedPayers({ ...deps, key: testKey, deadline });
  const rounds = drawRounds(options, random.fork('rounds'));
  const all: ChaosPayment[] = [];
  let waiting: ChaosPayment[] = [];

  for (const round of rounds) {
    await tryOldWebhooks(deps);
    const payments = await create(deps, round);
    all.push(...payments);
    await playRound({ ...deps, litecoinPayers, ethereumPayers, simulated }, round, payments);
    waiting.push(...payments.filter(isVeryLateOnChain));
    waiting = await payVeryLate(waiting);
    timeline.log(`round ${round.number} of ${rounds.length} is played: ${all.length} payments so far`);
  }
  if (waiting.length > 0) {
    await tryOldWebhooks(deps);
    await environment.advance(PAID_LATE_WINDOW_MS + HOUR_MS);
    waiting = await payVeryLate(waiting);
  }
  await chain.mine(CONFIRMATIONS);
  await ethereum.mine(ETHEREUM_CONFIRMATIONS);
  return all;

  async function payVeryLate(payments: readonly ChaosPayment[]): Promise<ChaosPayment[]> {
    const isDue = ({ expiresAt }: ChaosPayment) => now() > expiresAt + PAID_LATE_WINDOW_MS + 10 * MINUTE_MS;
    await litecoinPayers.payVeryLate(payments.filter((each) => isDue(each) && each.network === 'litecoin'));
    await ethereumPayers.payVeryLate(payments.filter((each) => isDue(each) && each.network === 'ethereum'));
    return payments.filter((each) => !isDue(each));
  }
}

// Helpers

async function playRound(
  deps: RoundsDeps & { litecoinPayers: LitecoinPayers; ethereumPayers: EthereumPayers; simulated: SimulatedPayers },
  round: Round,
  payments: readonly ChaosPayment[],
): Promise<void> {
  const { environment, chain, ethereum, timeline, litecoinPayers, ethereumPayers, simulated } = deps;
  const onChain = payments.filter(({ network }) => network === 'litecoin');
  const onEthereum = payments.filter(({ network }) => network === 'ethereum');
  const simulatedOnes = payments.filter(({ network }) => network === 'simulated');
  const reorganisations = [...round.reorganisations];

  async function reorganise(): Promise<void> {
    const depth = reorganisations.shift();
    if (depth === undefined) return;
    timeline.log(`the newest ${depth} blocks are undone`, 'reorg');
    await chain.reorganise(depth);
  }

  if (round.isAway) {
    timeline.log('the nodes are away', 'node-away');
    environment.cutNode();
  }
  await Promise.all([
    litecoinPayers.payInTime(onChain, reorganise),
    ethereumPayers.payInTime(onEthereum),
    inParallel(simulatedOnes, REQUESTS_AT_ONCE, simulated.payInTime),
  ]);
  if (!round.isAway) {
    await litecoinPayers.allShown(onChain);
    await ethereumPayers.allShown(onEthereum);
  } else if (round.isMinedMeanwhile) await chain.mine(1);

  timeline.log(`time goes on by ${Math.round(round.jumpMs / MINUTE_MS)} minutes`, 'clock');
  await environment.advance(round.jumpMs);
  await litecoinPayers.payLate(onChain);
  await ethereumPayers.payLate(onEthereum);
  if (round.isAway) {
    environment.restoreNode();
    timeline.log('the nodes are back');
  }
  await Promise.all([
    (async () => {
      await litecoinPayers.allShown(onChain);
      await litecoinPayers.takeBackLate(onChain);
    })(),
    (async () => {
      await ethereumPayers.allShown(onEthereum);
      await ethereumPayers.moveLate(onEthereum);
      await ethereumPayers.allShown(onEthereum);
    })(),
    inParallel(simulatedOnes, REQUESTS_AT_ONCE, simulated.payLate),
  ]);
  await chain.mine(CONFIRMATIONS);
  await ethereum.mine(ETHEREUM_CONFIRMATIONS);
  while (reorganisations.length > 0) await reorganise();
}

async function create({ environment, client }: RoundsDeps, { wishes }: Round): Promise<ChaosPayment[]> {
  const { liveKey, testKey } = environment.merchant;
  const created: ChaosPayment[] = [];
  await inParallel(wishes, REQUESTS_AT_ONCE, async (wish) => {
    const view = await client.create({
      key: wish.network === 'simulated' ? testKey : liveKey,
      idempotencyKey: `chaos-${wish.number}`,
      body: { crypto: wish.crypto, amount: wish.priceCents / 100, metadata: { number: String(wish.number) } },
    });
    created.push(paymentOf(wish, view));
  });
  return created;
}

function isVeryLateOnChain({ network, plan }: ChaosPayment): boolean {
  return network !== 'simulated' && plan === 'very_late';
}

function drawRounds({ payments, roundPayments, reorganisations, only }: ChaosOptions, random: Random): Round[] {
  const count = Math.max(1, Math.ceil(payments / roundPayments));
  const depths = Array.from({ length: only.has('reorg') ? reorganisations : 0 }, () => random.between(1, 4));
  const perRound = Math.ceil(depths.length / count);
  return Array.from({ length: count }, (_, index) => {
    const isAway = only.has('node-away') && index % AWAY_EVERY_ROUNDS === Math.min(1, count - 1);
    const size = Math.min(roundPayments, payments - index * roundPayments);
    return {
      number: index + 1,
      wishes: drawWishes(random, { first: index * roundPayments, size, isAway }),
      isAway,
      isMinedMeanwhile: random.chance(0.5),
      jumpMs: isAway ? random.between(120, 300) * MINUTE_MS : random.between(11, 25) * MINUTE_MS,
      reorganisations: depths.slice(index * perRound, (index + 1) * perRound),
    };
  });
}

function drawWishes(random: Random, of: { first: number; size: number; isAway: boolean }): Wish[] {
  const shareOfSize = (percent: number) => Math.round((of.size * percent) / 100);
  const onLitecoin = shareOfSize(LITECOIN_SHARE);
  const onEthereum = shareOfSize(ETHEREUM_SHARE);
  // A payer who waits until the service sees a payment would wait for ever while the node is
  // unreachable.
  const seen = (plan: PlanName): PlanName => (of.isAway && NEEDS_OBSERVATION.has(plan) ? 'exact' : plan);
  const plans = [
    ...drawPlans(random, onLitecoin).map((plan) => wish('litecoin', 'LTC', seen(plan))),
    ...drawPlans(random, onEthereum).map((plan) => {
      return wish('ethereum', random.pick(['ETH', 'WBTC']), NEEDS_MEMPOOL.has(plan) ? 'exact' : seen(plan));
    }),
    ...drawPlans(random, of.size - onLitecoin - onEthereum).map((plan) => wish('simulated', 'LTC', plan)),
  ];
  return random.shuffled(plans).map((each, index) => {
    return { ...each, number: of.first + index, priceCents: random.between(100, 2_000) };
  });
}

function wish(network: Wish['network'], crypto: Wish['crypto'], plan: PlanName): Omit<Wish, 'number' | 'priceCents'> {
  return { network, crypto, plan };
}
