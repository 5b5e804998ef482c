import type { Clock } from '../src/clock.ts';
import type { Litecoind } from '../test/support/litecoind.ts';

/**
 * One time for the service and its node, which runs with the wall clock and can be moved ahead of it. A payment can so
 * come late without anybody waiting for the window to close.
 */
export interface World extends Clock {
  readonly node: Litecoind;
  /** Moves the time forward. The node learns of it when it is told next. */
  advance(byMs: number): void;
  /** Sets the node's time, at which it then stands still; so this precedes whatever the node puts a date on. */
  tellNode(): Promise<void>;
}

export function createWorld(node: Litecoind): World {
  let aheadMs = 0;
  const now = () => Date.now() + aheadMs;

  return {
    node,
    now,
    advance(byMs) {
      aheadMs += byMs;
    },
    async tellNode() {
      await node.rpc('setmocktime', [Math.floor(now() / 1_000)]);
    },
  };
}
