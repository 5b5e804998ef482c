import { median } from '../support/measure.ts';
import { print } from '../support/print.ts';
import { readSettings } from '../support/settings.ts';
import { createWorkersHarness, type WorkersHarness } from './harness.ts';
import { bareRound, payRound, type Round } from './rounds.ts';

/**
 * Payments per second with 1, 2 and 4 worker processes on one NATS and one Postgres: coin events
 * from the bus, journal, projection, webhook to the merchant's server and its record. With two and
 * four processes also with partitions assigned to them instead of competed for, which shows what
 * balancing could gain at best. The ceiling is a process that takes as many messages from the same
 * bus and writes one row for each. Every round checks at the receivers and in the journal that
 * nothing was done twice.
 *
 * Workers, Postgres, NATS, receivers and this loop share the processors, so rounds alternate: read
 * the ratios.
 */

const {
  BENCH_NATS_URL: NATS_URL,
  BENCH_ROUNDS: ROUNDS,
  BENCH_PAYMENTS: PAYMENTS,
} = readSettings('Payments per second with 1, 2 and 4 worker processes.', {
  BENCH_ROUNDS: 3,
  BENCH_PAYMENTS: 3_000,
  BENCH_NATS_URL: 'nats://127.0.0.1:4222',
});
const PROCESSES = [1, 2, 4] as const;
/** A payment is two coin events and two messages about its webhook. */
const MESSAGES_PER_PAYMENT = 4;

interface Variant {
  readonly processes: number;
  readonly apart: boolean;
  readonly rounds: Round[];
}

async function main(): Promise<void> {
  const harness = await createWorkersHarness(NATS_URL);
  // An aborted run leaves no database behind.
  const giveUp = () => void harness.remove().finally(() => process.exit(1));
  for (const signal of SIGNALS) process.once(signal, giveUp);
  try {
    await compare(harness);
  } finally {
    for (const signal of SIGNALS) process.off(signal, giveUp);
    await harness.remove();
  }
}

async function compare(harness: WorkersHarness): Promise<void> {
  const variants: Variant[] = PROCESSES.flatMap((processes) => [
    { processes, apart: false, rounds: [] },
    ...(processes === 1 ? [] : [{ processes, apart: true, rounds: [] }]),
  ]);
  const bare = PROCESSES.map((processes) => ({ processes, rates: [] as number[] }));
  // Fills the tables, and lets the broker create its consumers.
  await payRound(harness, { processes: 1, payments: Math.ceil(PAYMENTS / 4), apart: false });
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { processes, apart, rounds } of variants) {
      rounds.push(await payRound(harness, { processes, payments: PAYMENTS, apart }));
    }
    for (const { processes, rates } of bare) {
      rates.push(await bareRound(harness, { processes, messages: MESSAGES_PER_PAYMENT * PAYMENTS }));
    }
  }
  print('');
  const one = rateOf(variants[0]);
  for (const variant of variants) {
    const of = (pick: (round: Round) => number) => median(variant.rounds.map(pick));
    const rate = rateOf(variant);
    print(`${variant.processes} process(es), partitions ${variant.apart ? 'assigned' : 'competed for'}:`);
    print(
      `  ${show(rate)} payments/s, ${show(MESSAGES_PER_PAYMENT * rate)} messages/s: ${(rate / one).toFixed(2)} x one`,
    );
    print(
      `  skew ${of(({ skew }) => skew).toFixed(2)}, ${of(({ eventsPerCommit }) => eventsPerCommit).toFixed(1)} events per commit, ` +
        `${of(({ lockWaits }) => lockWaits).toFixed(2)} waiting for locks, workers keep ${of(({ processors }) => processors).toFixed(2)} processors busy`,
    );
  }
  const bareOne = median(bare[0]?.rates ?? []);
  for (const { processes, rates } of bare) {
    print(
      `${processes} bare process(es): ${show(median(rates))} messages/s: ${(median(rates) / bareOne).toFixed(2)} x one`,
    );
  }
  print(`nothing was done twice in ${variants.reduce((sum, { rounds }) => sum + rounds.length, 0)} rounds`);
}

// Helpers

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

const show = (value: number) => Math.round(value).toLocaleString('en-US');

function rateOf(variant: Variant | undefined): number {
  return median((variant?.rounds ?? []).map(({ perSecond }) => perSecond));
}

await main();
