import { describe, expect, it } from 'vitest';
import { PUBLIC_STATES, publicStateOf, transactionMachine } from '../../../machines/index.ts';
import { itKeepsTheRulesOfForm } from '../chart-hygiene.ts';
import { readChart } from '../chart-walk.ts';

describe('the chart of a transaction', () => {
  itKeepsTheRulesOfForm(transactionMachine, ['chain', 'timer', 'merchant']);

  it('agrees with the public states leaf by leaf, children inheriting from their parents', () => {
    const leaves = readChart(transactionMachine).states.filter((state) => state.isLeaf);
    const fromChart = leaves.map(({ path, meta }) => [
      path,
      { status: meta.publicStatus, exception: meta.exception ?? null },
    ]);
    expect(Object.fromEntries(fromChart)).toEqual(PUBLIC_STATES);
  });

  it('ends only where the address is let go', () => {
    const finals = readChart(transactionMachine).states.filter((state) => state.isFinal);
    expect(finals.map((state) => state.path).sort()).toEqual(['closedCompleted', 'closedExpired', 'closedFailed']);
  });

  it('refuses the name of a state it does not have', () => {
    expect(() => publicStateOf('open')).toThrow(RangeError);
    expect(() => publicStateOf('toString')).toThrow('unknown transaction state "toString"');
  });
});
