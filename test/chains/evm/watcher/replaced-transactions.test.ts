import { expect, test } from 'vitest';
import { seenBaseUnits } from '../../../../machines/index.ts';
import {
  address,
  COIN,
  coins,
  contractCoins,
  type FakeTransaction,
  otherAddress,
} from '../../../support/nodes/fake-evm-node.ts';
import { createEvmHarness, type EvmHarness, mineEmpty } from './harness.ts';
import { branchFrom } from './sightings/sighting-support.ts';
import { type NotifiedPayment, openNotifiedPayment } from './verify/notified-payment.ts';

/**
 * Counterexamples of the property over watcher, bus, workers and timers: a transaction is reorged
 * out and replaced by another with its nonce.
 */

const SENDER = { from: otherAddress(70), nonce: 7 };

test('a replacement by a contract is unknown while pending, and in time once mined', async () => {
  const { at, payment, undo } = await paid(contractCoins([{ to: address(0), valueWei: 9n }], SENDER));
  undo();
  at.node.submit(contractCoins([{ to: address(0), valueWei: 9n }], SENDER));
  await closeWindow(at, payment);
  expect(payment.run.view().leaf).toBe('expired.watching');

  at.node.mine([...at.node.waiting()]);
  mineEmpty(at, 4);
  await at.step();
  await payment.confirmAll();
  expect(payment.run.view().leaf).toBe('completed');
  expect(seenBaseUnits(payment.run.view().context)).toBe(9n);
});

test.each([
  ['traced', true, 'completed'],
  ['shown by the balance alone', false, 'expired.paidLate'],
])('a replacement in two parts is in time as far as it is identified: the second %s', async (_title, traces, leaf) => {
  const { at, payment, undo } = await paid(coins(address(0), 9n, SENDER));
  undo();
  await closeWindow(at, payment);
  at.node.traces = traces;
  at.node.mine([coins(address(0), 4n, { ...SENDER, internal: [{ to: address(0), valueWei: 5n }] })]);
  mineEmpty(at, 4);
  await at.step();
  await payment.confirmAll();
  expect(payment.run.view().leaf).toBe(leaf);
  expect(seenBaseUnits(payment.run.view().context)).toBe(9n);
});

// Helpers

interface Paid {
  readonly at: EvmHarness;
  readonly payment: NotifiedPayment;
  /** Replaces its block by empty ones; the transaction is then in no mempool. */
  undo(): void;
}

/** A payment of 9 wei, paid in a block. */
async function paid(transaction: FakeTransaction): Promise<Paid> {
  const at = createEvmHarness();
  mineEmpty(at, 20);
  at.accounts.open({ watchKey: address(0), asset: COIN }, true);
  await at.step();
  const payment = openNotifiedPayment({
    dueBaseUnits: '9',
    confirmationsRequired: 3,
    windowMs: 1_800_000,
    observations: at.sink.observations,
    watcher: at.watcher,
    now: () => at.node.timeSeconds * 1_000,
  });
  const block = at.node.mine([transaction]);
  await at.step();
  payment.receive();
  expect(payment.run.view().leaf).toBe('confirming');
  return { at, payment, undo: () => void branchFrom(at, block.parentHash, [[], []]) };
}

async function closeWindow(at: EvmHarness, { receive, run }: NotifiedPayment): Promise<void> {
  await at.step();
  receive();
  expect(run.view().leaf).toBe('open.awaitingPayment');
  const { expiresAt } = run.view().context;
  at.node.timeSeconds = expiresAt / 1_000 + 60;
  await at.step();
  receive();
  run.send({ type: 'timer.window_closed', at: at.node.timeSeconds * 1_000, dueAt: expiresAt });
}
