import { describe, expect, it } from 'vitest';
import type { TransactionEvent } from '../../../machines/index.ts';
import { startRun } from './actor-run.ts';
import { BLOCK_HEIGHT, confirmed, IN_TIME } from './observations.ts';
import { CONFIRMATIONS, TERMS } from './terms.ts';

const LOCKED = { ...confirmed({ order: 1 }), byLock: true } as TransactionEvent;

describe('a lock on a block (ChainLock)', () => {
  it('replaces confirmations', () => {
    const run = startRun(TERMS);
    run.send(LOCKED);
    expect(run.view().leaf).toBe('completed');
  });

  it('rule 18: does not when the merchant requires more than one: depth decides', () => {
    const run = startRun({ ...TERMS, waitsForDepth: true });
    run.send(LOCKED);
    expect(run.view().leaf).toBe('confirming');
    const height = BLOCK_HEIGHT + CONFIRMATIONS - 1;
    const { effects } = run.send({ type: 'timer.depth_reached', at: IN_TIME, height });
    expect(effects.map(({ type }) => type)).toContain('verifyOutputs');
    run.send({ ...LOCKED, order: 2 } as TransactionEvent);
    expect(run.view().leaf).toBe('confirming');
    run.send(confirmed({ order: 3 }));
    expect(run.view().leaf).toBe('completed');
  });
});
