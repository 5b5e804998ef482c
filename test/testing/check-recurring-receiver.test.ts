import { describe, expect, test } from 'vitest';
import { checkRecurringReceiver } from '../../src/testing/index.ts';
import { level } from '../support/run/level.ts';
import { createRecurringReceiver, type RecurringMistake } from './recurring-receivers.ts';

/** Fixed, so that a mistake that is found once is always found. */
const SEED = 20_261_122;

const complaints = new Map<RecurringMistake, Promise<string>>();

/**
 * The check's error for a receiver with this mistake. Shrinking takes long, so it runs once for all
 * tests.
 */
function complaint(mistake: RecurringMistake): Promise<string> {
  const known = complaints.get(mistake);
  const found =
    known ??
    checkRecurringReceiver((secret) => createRecurringReceiver(secret, mistake), { seed: SEED }).then(
      () => 'none',
      String,
    );
  complaints.set(mistake, found);
  return found;
}

describe('checkRecurringReceiver', () => {
  test('reports no finding for a correct receiver', async () => {
    await checkRecurringReceiver((secret) => createRecurringReceiver(secret, null), {
      seed: SEED,
      runs: level.runs(400),
    });
  });

  // One of each kind: repeats, order, lateness, forgery and races.
  const few = [
    ['counts_repeats', 'a correct one with'],
    ['believes_the_last_to_come', 'a correct one with'],
    ['forgets_late_payments', 'a correct one with'],
    ['ignores_the_signature', 'to a forged webhook'],
    ['waits_between_looking_and_writing', 'a correct one with'],
  ] as const;
  const others = [
    ['counts_its_payments_as_well', 'a correct one with'],
    ['gives_up_what_was_paid', 'a correct one with'],
    ['credits_nothing_after_the_end', 'a correct one with'],
    ['credits_the_newest_period', 'a correct one with'],
  ] as const;
  test.each(level.isFull ? [...few, ...others] : few)('finds a receiver that %s', async (mistake, words) => {
    expect(await complaint(mistake)).toContain(words);
  });

  test('reports the shortest path to the failure, step by step, and how to replay it', async () => {
    const sent = await complaint('forgets_late_payments');
    expect(sent).toMatch(/"unpaid":\[1\]}, a correct one with .*"credited":{"1":1}/);
    expect(sent).toMatch(/00000000-0000-4000-8000-\w{12}: created, confirm, .*pay the period given_up/);
    expect(sent).toMatch(/recurring\.payment\.unpaid #\d+, attempt 1, id evt_\w+/);
    expect(sent).toMatch(/Replay with { seed: 20261122, path: '[\d:]+' }/);
  });

  test('posts forged events that would credit a period', async () => {
    const credited: unknown[] = [];
    const start = (secret: string) => {
      const receiver = createRecurringReceiver(secret, null);
      return {
        ...receiver,
        async receive(request: Parameters<typeof receiver.receive>[0]) {
          const status = await receiver.receive(request);
          if (status === 400) credited.push(JSON.parse(request.rawBody.toString()).event);
          return status;
        },
      };
    };
    await checkRecurringReceiver(start, { seed: SEED, runs: level.pick({ quick: 40, full: 100 }) });
    expect(new Set(credited)).toEqual(new Set(['recurring.payment.completed', 'payment.completed']));
  });
});
