import { expect, test } from 'vitest';
import { seenBaseUnits } from '../../../../machines/index.ts';
import { address, COIN, coins } from '../../../support/fake-evm-node.ts';
import { createEvmHarness, mineEmpty } from './harness.ts';
import { pays } from './sighting-support.ts';
import { openToldPayment } from './told-payment.ts';

/** Calls of one verification, of which each in turn is answered by a machine that lags. */
const CALLS = 25;

test.each([
  ['a transfer', true],
  ['a contract, traced', true],
  ['a contract', false],
])('a machine that lags behind the payment takes none of it away: paid by %s', async (way, traces) => {
  for (let lagging = 0; lagging < CALLS; lagging += 1) {
    const at = createEvmHarness({ params: { staleAfterMs: 600_000 } });
    at.node.traces = traces;
    mineEmpty(at, 20);
    at.accounts.open({ watchKey: address(0), asset: COIN }, true);
    await at.step();
    const payment = openToldPayment({
      dueBaseUnits: '9',
      confirmationsRequired: 3,
      windowMs: 1_800_000,
      observations: at.sink.observations,
      watcher: at.watcher,
      now: () => at.node.timeSeconds * 1_000,
    });
    const before = at.node.best().hash;
    at.node.mine([way === 'a transfer' ? coins(address(0), 9n) : pays(9)]);
    mineEmpty(at, 3);
    const head = at.node.best().hash;
    await at.step();
    payment.receive();

    let served = 0;
    at.node.beforeCall = () => {
      at.node.setBest(served === lagging ? before : head, () => false);
      served += 1;
    };
    // A verification that finds a contradiction is retried.
    await payment.confirmAll().catch((error: unknown) => expect(error).toMatchObject({ name: 'RetryableError' }));
    at.node.beforeCall = null;
    at.node.setBest(head, () => false);
    const seen = () => seenBaseUnits(payment.run.view().context);
    expect(seen(), `call ${lagging} lags`).toBe(9n);
    mineEmpty(at, 5);
    await at.step();
    await payment.confirmAll();
    expect(seen(), `call ${lagging} lagged`).toBe(9n);
  }
});
