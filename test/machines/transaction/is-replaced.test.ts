import { describe, expect, it } from 'vitest';
import { replacedIds, type TransactionEvent } from '../../../machines/index.ts';
import { play } from './actor-run.ts';
import { confirmed, dropped, mined, seen } from './observations.ts';

const first = { id: 'first', order: 1, spends: ['coin:0', 'coin:1'] };
const bumped = { id: 'bumped', order: 2, spends: ['coin:0', 'coin:5'] };
const again = { id: 'again', order: 3, spends: ['coin:5'] };

/** The transactions that another one replaced, after these events in any order. */
function replacedAfter(...events: readonly TransactionEvent[]): string[][] {
  return [events, [...events].reverse()].map((order) => {
    const { outputs } = play(order).view().context;
    const ids = replacedIds(outputs);
    return outputs
      .filter(({ outputId }) => ids.has(outputId))
      .map(({ txid }) => txid ?? '')
      .sort();
  });
}

function inAnyOrder(...txids: readonly string[]): string[][] {
  return [[...txids], [...txids]];
}

describe('a transaction is replaced', () => {
  it('by one that spends the same coins, and by the next one after that', () => {
    expect(replacedAfter(seen(first), seen(bumped))).toEqual(inAnyOrder('first'));
    expect(replacedAfter(seen(first), seen(bumped), seen(again))).toEqual(inAnyOrder('bumped', 'first'));
  });

  it('by the mined one, whichever was seen last', () => {
    expect(replacedAfter(mined(first), seen(bumped))).toEqual(inAnyOrder('bumped'));
    expect(replacedAfter(seen(first), confirmed(bumped))).toEqual(inAnyOrder('first'));
  });

  it('by one to another address, which only the network knows', () => {
    expect(replacedAfter(seen(first), dropped({ ...first, order: 2, reason: 'replaced' }))).toEqual(
      inAnyOrder('first'),
    );
  });

  it('not while it counts, and not when the network dropped it', () => {
    expect(replacedAfter(seen(first))).toEqual(inAnyOrder());
    for (const reason of ['evicted', 'reorged'] as const) {
      expect(replacedAfter(seen(first), dropped({ ...first, order: 2, reason }))).toEqual(inAnyOrder());
    }
  });

  it('not when the network dropped the other one as well', () => {
    const gone = [first, bumped].map((each) => dropped({ ...each, order: each.order + 2, reason: 'evicted' }));
    expect(replacedAfter(seen(first), seen(bumped), ...gone)).toEqual(inAnyOrder());
  });

  it('not when only the balance of its address showed it', () => {
    const unexplained = { ...dropped({ id: 'a', order: 2, reason: 'replaced' }), txid: null };
    expect(replacedAfter(unexplained)).toEqual(inAnyOrder());
  });
});
