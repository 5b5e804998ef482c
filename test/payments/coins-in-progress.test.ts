import { expect, it } from 'vitest';
import { publicStateOf } from '../../machines/index.ts';
import type { ReceivedMessage } from '../../src/platform/bus/index.ts';
import {
  createBusHandler,
  leaseDueTimers,
  readJournal,
  saveWatermark,
  timerCommand,
} from '../../src/platform/engine/index.ts';
import { createTestClock, START_MS } from '../support/clock.ts';
import { describeDatabases } from '../support/database/test-database.ts';
import {
  createRecordingBus,
  inBlock,
  LITECOIN,
  later,
  newWallet,
  observe,
  openSink,
  startEngine,
  startPayment,
  TERMS,
} from './watching/sink-support.ts';

const MINUTE_MS = 60_000;
/** Hours later: the node was unreachable, and everything is found at once. */
const BACK_AT = START_MS + 4 * 60 * MINUTE_MS;

/**
 * Found by the chaos suite: a worker was killed while it held observations. The broker redelivered
 * them 10 s later; in between another worker processed the ends of the windows, which the same poll
 * had made due. Nine customers who had paid in time were notified that their payments had expired.
 */
describeDatabases('a payment with coins in progress', (database) => {
  const db = () => database().db;

  it('is not expired by the poll that found them, and no merchant is notified of an expiry', async () => {
    const engine = startEngine(db());
    const wallet = { derivationKeyId: await newWallet(db(), LITECOIN), network: LITECOIN, crypto: 'LTC' } as const;
    const [paid, unpaid] = [await startPayment(db(), engine, wallet), await startPayment(db(), engine, wallet)];
    const bus = createRecordingBus();
    const sink = openSink({ db: db(), bus });
    /** Fires what is due, as an idle worker would. */
    const fireDue = async (now: number) => {
      const timers = await leaseDueTimers(db(), { now, leaseMs: 0, limit: 1_000 });
      const own = timers.filter(({ actorId }) => [paid.transactionId, unpaid.transactionId].includes(actorId));
      for (const timer of own) await engine.deliver(timerCommand(timer));
    };

    const seen = observe({ network: LITECOIN, watchKey: paid.watchKey, firstSeenAt: START_MS + MINUTE_MS });
    await sink([later(seen, inBlock(7))]);
    await saveWatermark(db(), { gate: LITECOIN, reachedAt: BACK_AT, height: 7 });
    await fireDue(BACK_AT);
    expect(await statusesOf(paid.transactionId)).toEqual(['pending']);
    expect((await statusesOf(unpaid.transactionId)).at(-1)).toBe('expired');

    const [message] = bus.taken;
    await createBusHandler(engine)({ ...message, attempt: 2 } as ReceivedMessage);
    await fireDue(BACK_AT + 1);
    const reported = await statusesOf(paid.transactionId);
    expect(reported).not.toContain('expired');
    expect(reported.at(-1)).toBe('awaiting_confirmation');
  });

  /**
   * Found by the property in order/utxo.test.ts: the customer was notified that a payment seen in
   * time had expired.
   */
  it('is not expired by a poll that started in the moment they were seen, the last of its window', async () => {
    // The watermark of the network never moves back, so it is where the test above left it.
    const clock = createTestClock(BACK_AT + MINUTE_MS);
    const engine = startEngine(db(), clock);
    const wallet = {
      derivationKeyId: await newWallet(db(), LITECOIN),
      network: LITECOIN,
      crypto: 'LTC',
    } as const;
    const [paid, unpaid] = [await startPayment(db(), engine, wallet), await startPayment(db(), engine, wallet)];
    const expiresAt = clock.now() + TERMS.windowMs;
    const bus = createRecordingBus();
    const syncUntil = async (reachedAt: number) => {
      await saveWatermark(db(), { gate: LITECOIN, reachedAt, height: 7 });
      const timers = await leaseDueTimers(db(), { now: reachedAt, leaseMs: 0, limit: 1_000 });
      for (const timer of timers) await engine.deliver(timerCommand(timer));
    };

    await syncUntil(expiresAt);
    const seen = observe({ network: LITECOIN, watchKey: paid.watchKey, firstSeenAt: expiresAt });
    await openSink({ db: db(), bus })([later(seen, inBlock(7))]);
    for (const message of bus.taken) await createBusHandler(engine)({ ...message, attempt: 1 } as ReceivedMessage);
    await syncUntil(expiresAt + 1);
    expect((await statusesOf(paid.transactionId)).at(-1)).toBe('awaiting_confirmation');
    expect(await statusesOf(paid.transactionId)).not.toContain('expired');
    expect((await statusesOf(unpaid.transactionId)).at(-1)).toBe('expired');
  });

  async function statusesOf(actorId: string): Promise<string[]> {
    return (await readJournal(db(), actorId)).map(({ state }) => publicStateOf(state).status);
  }
});
