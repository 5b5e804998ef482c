import { describe, expect, test } from 'vitest';
import { type AnyMachineSnapshot, initialTransition, transition } from 'xstate';
import { MINUTE_MS, type TransactionEvent, transactionMachine } from '../../machines/index.ts';
import { TERMS } from '../machines/transaction/terms.ts';

/** What docs/operators/backup.md promises about depth checks that were lost with the broker's data. */
describe('a lost depth check', () => {
  const mined = { txid: 'a', outputId: 'a:0', amountBaseUnits: TERMS.dueBaseUnits, height: 100, blockHash: 'b' };
  const firstSeenAt = TERMS.createdAt;

  /** A payment that awaits a depth check, and its latest effects. */
  function waiting() {
    let [snapshot, effects] = initialTransition(transactionMachine, TERMS);
    const deliver = (event: TransactionEvent) => {
      [snapshot, effects] = transition(transactionMachine, snapshot, event);
      return effects.map((effect) => effect.type);
    };
    deliver({ type: 'chain.output_mined', at: firstSeenAt, order: 1, firstSeenAt, ...mined });
    const height = mined.height + TERMS.confirmationsRequired - 1;
    expect(deliver({ type: 'timer.depth_reached', at: firstSeenAt, height })).toContain('verifyOutputs');
    return {
      deliver,
      height,
      state: () => (snapshot as AnyMachineSnapshot).value,
      timers: () => effects.filter(({ type }) => type === 'startTimer').map(({ params }) => params),
    };
  }

  test('is requested again once the rewound watcher reports the payment again', () => {
    const { deliver, height } = waiting();
    const toldAgain = deliver({ type: 'chain.output_mined', at: firstSeenAt, order: 2, firstSeenAt, ...mined });
    expect(toldAgain).toContain('startHeightTimer');
    expect(deliver({ type: 'timer.depth_reached', at: firstSeenAt, height })).toContain('verifyOutputs');
  });

  test('is requested again after ten minutes, by a payment timer that no network delays', () => {
    const { deliver, height, state, timers } = waiting();
    const dueAt = firstSeenAt + 10 * MINUTE_MS;
    expect(timers()).toContainEqual({ timer: 'verification_overdue', dueAt, gated: false });
    expect(deliver({ type: 'timer.verification_overdue', at: dueAt, dueAt })).toContain('startHeightTimer');
    expect(deliver({ type: 'timer.depth_reached', at: dueAt, height })).toContain('verifyOutputs');
    expect(state()).toBe('confirming');
  });
});
