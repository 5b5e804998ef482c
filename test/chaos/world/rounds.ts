import type { Kysely } from 'kysely';
import { HOUR_MS, MINUTE_MS } from '../../../machines/index.ts';
import type { Database } from '../../../src/db/index.ts';
import type { ChaosOptions } from '../options.ts';
import type { Patience } from '../patience.ts';
import type { Random } from '../random.ts';
import type { Stage } from '../stage/stage.ts';
import type { Timeline } from '../timeline.ts';
import type { ChainWorld } from './chain.ts';
import { type ChainPayers, createChainPayers } from './chain-payers.ts';
import { inParallel } from './in-parallel.ts';
import { tryOldWebhooks } from './old-webhooks.ts';
import { type ChaosPayment, paymentOf } from './payment.ts';
import { drawPlans, NEEDS_SIGHT, type PlanName } from './plans.ts';
import type { Shop } from './shop.ts';
import { createSight } from './sight.ts';
import { createSimulatedPayers, type SimulatedPayers } from './simulated-payers.ts';

export interface RoundsDeps {
  readonly options: ChaosOptions;
  readonly stage: Stage;
  readonly chain: ChainWorld;
  readonly shop: Shop;
  readonly db: Kysely<Database>;
  readonly patience: Patience;
  readonly timeline: Timeline;
  readonly random: Random;
}

/** What one round will do, drawn from the seed before the first one begins. */
interface Round {
  readonly number: number;
  readonly wishes: readonly Wish[];
  /** The node is away while windows open and close, for hours of the chain's time. */
  readonly isAway: boolean;
  /** What was paid meanwhile is in a block when the node comes back, and not only in its mempool. */
  readonly isMinedMeanwhile: boolean;
  readonly jumpMs: number;
  readonly reorganisations: readonly number[];
}

interface Wish {
  readonly number: number;
  readonly network: ChaosPayment['network'];
  readonly plan: PlanName;
  readonly priceCents: number;
}

/** Of the payments, so many in a hundred take place on the real chain. */
const CHAIN_SHARE = 40;
const AWAY_EVERY_ROUNDS = 6;
const REQUESTS_AT_ONCE = 12;
const CONFIRMATIONS = 3;
const PAID_LATE_WINDOW_MS = 6 * HOUR_MS;

/** Plays all payments, a round after the other: what is open at the same time opens and closes together. */
export async function playRounds(deps: RoundsDeps): Promise<ChaosPayment[]> {
  const { stage, chain, patience, timeline, random } = deps;
  const { liveKey, testKey } = stage.merchant;
  const now = () => stage.world.now();
  const sight = createSight({ ...deps, key: liveKey });
  const chainPayers = createChainPayers({ chain, sight, random: random.fork('chain'), now });
  const simulated = createSimulatedPayers({ ...deps, key: testKey, patience });
  const rounds = drawRounds(deps.options, random.fork('rounds'));
  const all: ChaosPayment[] = [];
  let waiting: ChaosPayment[] = [];

  for (const round of rounds) {
    await tryOldWebhooks(deps);
    const payments = await create(deps, round);
    all.push(...payments);
    await playRound({ ...deps, chainPayers, simulated }, round, payments);
    waiting.push(...payments.filter(isVeryLateOnChain));
    waiting = await payVeryLate(waiting);
    timeline.tell(`round ${round.number} of ${rounds.length} is played: ${all.length} payments so far`);
  }
  if (waiting.length > 0) {
    await tryOldWebhooks(deps);
    await stage.advance(PAID_LATE_WINDOW_MS + HOUR_MS);
    waiting = await payVeryLate(waiting);
  }
  await chain.mine(CONFIRMATIONS);
  return all;

  async function payVeryLate(payments: readonly ChaosPayment[]): Promise<ChaosPayment[]> {
    const isDue = ({ expiresAt }: ChaosPayment) => now() > expiresAt + PAID_LATE_WINDOW_MS + 10 * MINUTE_MS;
    await chainPayers.payVeryLate(payments.filter(isDue));
    return payments.filter((each) => !isDue(each));
  }
}

// Helpers

async function playRound(
  deps: RoundsDeps & { chainPayers: ChainPayers; simulated: SimulatedPayers },
  round: Round,
  payments: readonly ChaosPayment[],
): Promise<void> {
  const { stage, chain, timeline, chainPayers, simulated } = deps;
  const onChain = payments.filter(({ network }) => network === 'litecoin');
  const simulatedOnes = payments.filter(({ network }) => network === 'simulated');
  const reorganisations = [...round.reorganisations];

  async function reorganise(): Promise<void> {
    const depth = reorganisations.shift();
    if (depth === undefined) return;
    timeline.tell(`the newest ${depth} blocks are undone`, 'reorg');
    await chain.reorganise(depth);
  }

  if (round.isAway) {
    timeline.tell('the node is away', 'node-away');
    stage.cutNode();
  }
  await Promise.all([
    chainPayers.payInTime(onChain, reorganise),
    inParallel(simulatedOnes, REQUESTS_AT_ONCE, simulated.payInTime),
  ]);
  if (!round.isAway) await chainPayers.allShown(onChain);
  else if (round.isMinedMeanwhile) await chain.mine(1);

  timeline.tell(`time goes on by ${Math.round(round.jumpMs / MINUTE_MS)} minutes`, 'clock');
  await stage.advance(round.jumpMs);
  await chainPayers.payLate(onChain);
  if (round.isAway) {
    stage.mendNode();
    timeline.tell('the node is back');
  }
  await Promise.all([
    (async () => {
      await chainPayers.allShown(onChain);
      await chainPayers.takeBackLate(onChain);
    })(),
    inParallel(simulatedOnes, REQUESTS_AT_ONCE, simulated.payLate),
  ]);
  await chain.mine(CONFIRMATIONS);
  while (reorganisations.length > 0) await reorganise();
}

async function create({ stage, shop }: RoundsDeps, { wishes }: Round): Promise<ChaosPayment[]> {
  const { liveKey, testKey } = stage.merchant;
  const created: ChaosPayment[] = [];
  await inParallel(wishes, REQUESTS_AT_ONCE, async (wish) => {
    const view = await shop.create({
      key: wish.network === 'litecoin' ? liveKey : testKey,
      idempotencyKey: `chaos-${wish.number}`,
      body: { crypto: 'LTC', amount: wish.priceCents / 100, metadata: { number: String(wish.number) } },
    });
    created.push(paymentOf(wish, view));
  });
  return created;
}

function isVeryLateOnChain({ network, plan }: ChaosPayment): boolean {
  return network === 'litecoin' && plan === 'very_late';
}

function drawRounds({ payments, roundPayments, reorganisations, only }: ChaosOptions, random: Random): Round[] {
  const count = Math.max(1, Math.ceil(payments / roundPayments));
  const depths = Array.from({ length: only.has('reorg') ? reorganisations : 0 }, () => random.between(1, 4));
  const perRound = Math.ceil(depths.length / count);
  return Array.from({ length: count }, (_, place) => {
    const isAway = only.has('node-away') && place % AWAY_EVERY_ROUNDS === Math.min(1, count - 1);
    const size = Math.min(roundPayments, payments - place * roundPayments);
    return {
      number: place + 1,
      wishes: drawWishes(random, { first: place * roundPayments, size, isAway }),
      isAway,
      isMinedMeanwhile: random.chance(0.5),
      jumpMs: isAway ? random.between(120, 300) * MINUTE_MS : random.between(11, 25) * MINUTE_MS,
      reorganisations: depths.slice(place * perRound, (place + 1) * perRound),
    };
  });
}

function drawWishes(random: Random, of: { first: number; size: number; isAway: boolean }): Wish[] {
  const onChain = Math.round((of.size * CHAIN_SHARE) / 100);
  // A payer who waits for something to be seen would wait for ever while nobody looks.
  const seen = (plan: PlanName): PlanName => (of.isAway && NEEDS_SIGHT.has(plan) ? 'exact' : plan);
  const plans = [
    ...drawPlans(random, onChain).map((plan) => ({ network: 'litecoin' as const, plan: seen(plan) })),
    ...drawPlans(random, of.size - onChain).map((plan) => ({ network: 'simulated' as const, plan })),
  ];
  return random.shuffled(plans).map(({ network, plan }, place) => {
    return { number: of.first + place, network, plan, priceCents: random.between(100, 2_000) };
  });
}
