import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertAsyncProperty, assertProperty } from '../support/run/fast-check.ts';

const belowFifty = fc.property(fc.integer({ min: 0, max: 1_000 }), (value) => value < 50);

describe('a failing property', () => {
  it('prints its smallest counterexample and the command that replays it', () => {
    expect(() => assertProperty(belowFifty)).toThrow(
      /Counterexample: \[50\][\s\S]*Replay with: FC_SEED=-?\d+ FC_PATH='[\d:]+'/,
    );
  });

  it('does so when it is asynchronous, too', async () => {
    const property = fc.asyncProperty(fc.integer({ min: 0, max: 1_000 }), async (value) => value < 50);
    await expect(assertAsyncProperty(property)).rejects.toThrow(/Counterexample: \[50\][\s\S]*Replay with: FC_SEED=/);
  });
});
