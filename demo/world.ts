import type { Clock } from '../src/platform/clock.ts';
import type { Litecoind } from '../test/support/nodes/litecoind.ts';

/**
 * One clock for the service and its node: the wall clock, which can be moved ahead. So a payment
 * can be late without waiting for the window to close.
 */
export interface World extends Clock {
  readonly node: Litecoind;
  /** Moves the time forward. The node gets it with the next `reportToNode`. */
  advance(byMs: number): void;
  /**
   * Sets the node's time, which then stands still; so call it before anything that makes the node
   * set a timestamp.
   */
  reportToNode(): Promise<void>;
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
    async reportToNode() {
      await node.rpc('setmocktime', [Math.floor(now() / 1_000)]);
    },
  };
}
