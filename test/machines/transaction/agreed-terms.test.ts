import { describe, expect, it } from 'vitest';
import { initialTransition } from 'xstate';
import { transactionMachine } from '../../../machines/index.ts';
import { startRun } from './actor-run.ts';
import { TERMS } from './terms.ts';

describe('a transaction', () => {
  it('rule 30: opens with the terms that were agreed', () => {
    expect(startRun(TERMS).view().context).toMatchObject(TERMS);
  });

  it.each([
    ['nothing due', { dueBaseUnits: '0' }, 'dueBaseUnits must be above zero'],
    ['a due amount that is no integer', { dueBaseUnits: '1.5' }, 'dueBaseUnits must be'],
    [
      'a tolerance as large as what is due',
      { toleranceBaseUnits: TERMS.dueBaseUnits },
      'toleranceBaseUnits must be below',
    ],
    ['a negative tolerance', { toleranceBaseUnits: '-1' }, 'toleranceBaseUnits must be'],
    ['no confirmations at all', { confirmationsRequired: 0 }, 'confirmationsRequired must be'],
    ['a fraction of a confirmation', { confirmationsRequired: 1.5 }, 'confirmationsRequired must be'],
  ])('cannot be opened with %s: it starts in error, without effects', (_, change, message) => {
    const [snapshot, effects] = initialTransition(transactionMachine, { ...TERMS, ...change });
    expect(snapshot.status).toBe('error');
    expect(snapshot.error).toBeInstanceOf(RangeError);
    expect(String(snapshot.error)).toContain(message);
    expect(effects).toEqual([]);
  });
});
