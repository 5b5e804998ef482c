import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type PaymentHistory, paymentHistories } from '../../src/testing/history.ts';
import { checkReceiver } from '../../src/testing/index.ts';
import { runTrial, type Trial, type WebhookTaker } from '../../src/testing/trial.ts';
import { createReceiver, type Mistake } from './receivers.ts';

/** Fixed, so that a mistake that is found once is always found. */
const SEED = 20_261_121;

const complaints = new Map<Mistake, Promise<string>>();

/**
 * The check's error for a receiver with this mistake. Shrinking takes long, so it runs once for all
 * tests.
 */
function complaint(mistake: Mistake): Promise<string> {
  const known = complaints.get(mistake);
  const found =
    known ?? checkReceiver((secret) => createReceiver(secret, mistake), { seed: SEED }).then(() => 'none', String);
  complaints.set(mistake, found);
  return found;
}

describe('checkReceiver', () => {
  test('reports no finding for a correct receiver', async () => {
    await checkReceiver((secret) => createReceiver(secret, null), { seed: SEED });
  });

  // Once in some thousand pairs, two payments of a scenario had the same id, which no receiver
  // could tell apart.
  test('never reuses an id within a scenario', async () => {
    const [history] = fc.sample(paymentHistories(), { seed: SEED, numRuns: 1 });
    let verified = 0;
    const trial: Trial<PaymentHistory, WebhookTaker> = {
      histories: fc.constant(history as PaymentHistory),
      identify: ({ transactionId }) => transactionId,
      describe: ({ transactionId }) => transactionId,
      async verify() {
        verified += 1;
      },
    };
    await runTrial(trial, (secret) => createReceiver(secret, null), { seed: SEED, runs: 50 });
    expect(verified).toBe(50);
  });

  test.each([
    ['counts_repeats', 'a correct one with'],
    ['believes_the_last_to_come', 'a correct one with'],
    ['ignores_the_signature', 'to a forged webhook'],
    ['ignores_the_mode', 'to a forged webhook'],
    ['forgets_the_exception', '"exception":null'],
    ['waits_between_looking_and_writing', 'a correct one with'],
    ['refuses_what_it_knows', 'responds with 409 to a genuine'],
    ['never_fulfils', '"fulfilled":0'],
  ] as const)('finds a receiver that %s', async (mistake, words) => {
    expect(await complaint(mistake)).toContain(words);
  });

  test('sends events in the mode of the receiver', async () => {
    const ofTest = (secret: string) => createReceiver(secret, null, 'test');
    await checkReceiver(ofTest, { seed: SEED, mode: 'test' });
    await expect(checkReceiver(ofTest, { seed: SEED })).rejects.toThrow('responds with 400 to a genuine');
  });

  test('reports the shortest path to the failure, step by step, and how to replay it', async () => {
    const sent = await complaint('counts_repeats');
    expect(sent).toMatch(/txn_\w+: created, pay \w+/);
    expect(sent).toMatch(/payment\.completed #\d+, attempt 1, id evt_\w+/);
    expect(sent).toMatch(/Replay with { seed: 20261121, path: '[\d:]+' }/);
    // Seen, completed, and completed again.
    expect(sent.match(/attempt \d, id evt_/g)).toHaveLength(3);
  });

  test('closes each receiver it has started', async () => {
    let open = 0;
    const close = () => {
      open -= 1;
    };
    const start = (secret: string) => {
      open += 1;
      return { ...createReceiver(secret, null), close };
    };
    await checkReceiver(start, { runs: 10 });
    expect(open).toBe(0);
  });
});
