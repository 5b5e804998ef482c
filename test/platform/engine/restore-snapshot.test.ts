import { expect, it } from 'vitest';
import { initialTransition, transition } from 'xstate';
import { transactionMachine } from '../../../machines/index.ts';
import { restoreSnapshot } from '../../../src/platform/engine/index.ts';
import { confirmed, seen } from '../../machines/transaction/observations.ts';
import { CLOSES_AT, DUE, TERMS } from '../../machines/transaction/terms.ts';

const HISTORY = [
  seen({ order: 1, id: 'a', amount: DUE / 2n }),
  seen({ order: 2, id: 'b', amount: DUE / 2n }),
  confirmed({ order: 3, id: 'a', amount: DUE / 2n }),
  confirmed({ order: 4, id: 'b', amount: DUE / 2n }),
  { type: 'timer.window_closed', at: CLOSES_AT, dueAt: CLOSES_AT } as const,
];

it('restores what XState restores, with the context of each actor that is in the same state', () => {
  const inputs = [TERMS, { ...TERMS, transactionId: 'txn_other' }];
  let snapshots = inputs.map((input) => initialTransition(transactionMachine, input)[0]);
  for (const event of HISTORY) {
    snapshots = snapshots.map(({ value, context, status }) => {
      const stored = { value, context, status };
      const restored = restoreSnapshot({ machine: transactionMachine }, stored) as typeof resolved;
      const resolved = transactionMachine.resolveState(stored);
      expect(restored.toJSON()).toEqual(resolved.toJSON());
      const [next] = transition(transactionMachine, restored, event);
      expect(next.toJSON()).toEqual(transition(transactionMachine, resolved, event)[0].toJSON());
      return next;
    });
  }
  expect(snapshots.map(({ value }) => value)).toEqual(['completed', 'completed']);
});

it('rejects a state that the chart does not have, every time', () => {
  const stored = { value: 'sold', context: {}, status: 'active' };
  const restore = () => restoreSnapshot({ machine: transactionMachine }, stored);
  expect(restore).toThrow(/sold/);
  expect(restore).toThrow(/sold/);
});
