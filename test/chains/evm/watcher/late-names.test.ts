import { expect, test } from 'vitest';
import type { EvmHarness } from './harness.ts';
import { pays, startWatcher } from './sightings/sighting-support.ts';
import { type NotifiedPayment, openNotifiedPayment } from './verify/notified-payment.ts';

/** Two contract payments of one block are known by their sum until the block can be traced. */

/** A payment of 9 wei. */
function openPayment(at: EvmHarness, windowMs: number): NotifiedPayment {
  const { watcher, sink, clock } = at;
  const terms = { dueBaseUnits: '9', confirmationsRequired: 1, windowMs };
  return openNotifiedPayment({ ...terms, observations: sink.observations, watcher, now: clock.now });
}

async function payUntraced(at: EvmHarness): Promise<void> {
  at.node.traces = 'fails';
  at.node.mine([pays(4), pays(5)]);
  await at.step();
}

async function traceLate(at: EvmHarness): Promise<void> {
  at.node.traces = true;
  at.node.timeSeconds += 40;
  at.node.mine([]);
  await at.step();
}

test('a late trace takes no coins from a payment that waits for confirmations', async () => {
  const at = await startWatcher();
  const payment = openPayment(at, 1_800_000);
  await payUntraced(at);
  await traceLate(at);
  payment.receive();
  expect(payment.run.notifications.map(({ event }) => event)).toEqual(['payment.created', 'payment.pending']);
});

test('a late trace raises no alert that a completed payment lost coins', async () => {
  const at = await startWatcher();
  const payment = openPayment(at, 1_800_000);
  await payUntraced(at);
  await payment.confirmAll();
  expect(payment.run.view().leaf).toBe('completed');
  await traceLate(at);
  payment.receive();
  expect(payment.run.alerts).toEqual([]);
});

test('a late trace does not restore late coins that the merchant has dismissed', async () => {
  const at = await startWatcher();
  const payment = openPayment(at, 1_000);
  at.node.mine([]);
  await at.step();
  const { expiresAt } = payment.run.view().context;
  payment.run.send({ type: 'timer.window_closed', at: at.clock.now(), dueAt: expiresAt });
  await payUntraced(at);
  payment.receive();
  expect(payment.run.view().leaf).toBe('expired.paidLate');
  payment.run.send({ type: 'merchant.dismissed', at: at.clock.now(), by: 'u' });
  await traceLate(at);
  payment.receive();
  expect(payment.run.view().leaf).toBe('expired.watching');
});
