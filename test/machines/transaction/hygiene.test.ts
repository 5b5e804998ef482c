import { describe, expect, it } from 'vitest';
import { PUBLIC_STATES, publicStateOf, transactionMachine } from '../../../machines/index.ts';
import { itKeepsTheRulesOfForm } from '../chart-hygiene.ts';
import { readChart } from '../chart-walk.ts';

describe('the transaction chart', () => {
  itKeepsTheRulesOfForm(transactionMachine, ['chain', 'timer', 'merchant']);

  it('agrees with the public states leaf by leaf, children inheriting from their parents', () => {
    const leaves = readChart(transactionMachine).states.filter((state) => state.isLeaf);
    const fromChart = leaves.map(({ path, meta }) => [
      path,
      { status: meta.publicStatus, exception: meta.exception ?? null },
    ]);
    expect(Object.fromEntries(fromChart)).toEqual(PUBLIC_STATES);
  });

  it('ends only where the address is released', () => {
    const finals = readChart(transactionMachine).states.filter((state) => state.isFinal);
    expect(finals.map((state) => state.path).sort()).toEqual(['closedCompleted', 'closedExpired', 'closedFailed']);
  });

  it('rejects the name of an unknown state', () => {
    expect(() => publicStateOf('open')).toThrow(RangeError);
    expect(() => publicStateOf('toString')).toThrow('unknown transaction state "toString"');
  });
});
