import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { assertAsyncProperty, assertProperty } from '../support/run/fast-check.ts';

const belowFifty = fc.property(fc.integer({ min: 0, max: 1_000 }), (value) => value < 50);

describe('a failing property', () => {
  afterEach(() => vi.unstubAllEnvs());

  it('prints its smallest counterexample and the command that replays it', () => {
    expect(() => assertProperty(belowFifty)).toThrow(
      /Counterexample: \[50\][\s\S]*Replay with: FC_SEED=-?\d+ FC_PATH='[\d:]+'/,
    );
  });

  it('does so when it is asynchronous, too', async () => {
    const property = fc.asyncProperty(fc.integer({ min: 0, max: 1_000 }), async (value) => value < 50);
    await expect(assertAsyncProperty(property)).rejects.toThrow(/Counterexample: \[50\][\s\S]*Replay with: FC_SEED=/);
  });

  it('finds the same counterexample immediately with the given seed and path', () => {
    vi.stubEnv('FC_SEED', '42');
    const [, path = ''] = /FC_PATH='([\d:]+)'/.exec(messageOf(() => assertProperty(belowFifty))) ?? [];
    vi.stubEnv('FC_PATH', path);
    expect(messageOf(() => assertProperty(belowFifty))).toContain('Property failed after 1 tests');
  });

  it('names the variable when a seed is not a number', () => {
    vi.stubEnv('FC_SEED', 'lucky');
    expect(() => assertProperty(belowFifty)).toThrow('FC_SEED must be a whole number, got "lucky"');
  });
});

function messageOf(action: () => void): string {
  try {
    action();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  throw new Error('the property held, although it should have failed');
}
