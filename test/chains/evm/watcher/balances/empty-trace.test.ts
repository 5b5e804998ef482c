import { expect, test } from 'vitest';
import { seenBaseUnits } from '../../../../../machines/index.ts';
import { readCallTraces, readFlatTraces } from '../../../../../src/chains/evm/node/traces.ts';
import { address, COIN } from '../../../../support/nodes/fake-evm-node.ts';
import { createEvmHarness, mineEmpty } from '../harness.ts';
import { pays } from '../sightings/sighting-support.ts';
import { openNotifiedPayment, passTimers } from '../verify/notified-payment.ts';

/**
 * Besu answers `[]` to `debug_traceBlockByHash` and `trace_block` for a block whose state it has
 * dropped, and a part of the list when it is interrupted.
 */
test('an empty trace does not prove that a block moved nothing', () => {
  expect(readCallTraces([])).toBeNull();
  expect(readFlatTraces([], { height: 1, blockHash: `0x${'bb'.repeat(32)}` })).toBeNull();
});

const HOUR_MS = 3_600_000;

test.each([
  { confirmationsRequired: 12, before: 3, windowMs: HOUR_MS / 2, trace: null },
  { confirmationsRequired: 12, before: 3, windowMs: 24 * HOUR_MS, trace: null },
  { confirmationsRequired: 12, before: 3, windowMs: HOUR_MS / 2, trace: [] },
  { confirmationsRequired: 32, before: 25, windowMs: HOUR_MS / 2, trace: null },
  { confirmationsRequired: 64, before: 40, windowMs: HOUR_MS / 2, trace: [] },
])('a payment completes although its trace is missing after two hours without the service: %o', async (story) => {
  const { confirmationsRequired, before, windowMs, trace } = story;
  const at = createEvmHarness();
  mineEmpty(at, 20);
  at.accounts.open({ watchKey: address(0), asset: COIN }, true);
  await at.step();
  const payment = openNotifiedPayment({
    dueBaseUnits: '9',
    confirmationsRequired,
    windowMs,
    observations: at.sink.observations,
    watcher: at.watcher,
    now: () => at.node.timeSeconds * 1_000,
  });
  at.node.mine([pays(9)]);
  mineEmpty(at, before);
  await at.step();
  payment.receive();
  expect(payment.run.view().leaf).toBe('confirming');

  at.restart();
  mineEmpty(at, 600);
  at.node.internalTransfers = async () => trace && { transfers: trace, txids: new Set() };
  for (let minute = 0; minute < 40; minute += 1) {
    mineEmpty(at, 5);
    await at.step();
    payment.receive();
    await passTimers(at, payment);
  }
  const { leaf, context } = payment.run.view();
  expect(leaf).toBe('completed');
  expect(seenBaseUnits(context)).toBe(9n);
  const events = payment.run.notifications.map(({ event }) => event);
  expect(events.filter((event) => event === 'payment.pending').length).toBeLessThanOrEqual(2);
});
