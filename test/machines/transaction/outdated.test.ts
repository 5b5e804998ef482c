import { describe, expect, it } from 'vitest';
import { seenBaseUnits, type TransactionEvent } from '../../../machines/index.ts';
import { startRun } from './actor-run.ts';
import { confirmed, dropped, mined } from './observations.ts';
import { DUE, TERMS } from './terms.ts';

const HALF = DUE / 2n;
const old = { id: 'old', amount: HALF };
const moved = { id: 'moved', amount: HALF };

/** The sums of the payment after each event. */
function sumsAfter(events: readonly TransactionEvent[]): bigint[] {
  const run = startRun(TERMS);
  return events.map((event) => {
    run.send(event);
    return seenBaseUnits(run.view().context);
  });
}

function naming(event: TransactionEvent, id: string, before: number): TransactionEvent {
  return { ...event, outdates: { outputIds: [`${id}:0`], before } } as TransactionEvent;
}

describe('an output that is reported as gone together with a new one', () => {
  it('no longer counts once the new one is processed, and its drop changes nothing', () => {
    const events = [
      mined({ ...old, order: 1 }),
      confirmed({ ...old, order: 2 }),
      naming(mined({ ...moved, order: 4, branch: 'fork' }), 'old', 3),
      dropped({ ...old, order: 3, reason: 'reorged' }),
    ];
    expect(sumsAfter(events)).toEqual([HALF, HALF, HALF, HALF]);
  });

  it('does not count again when the new one is reported with another loss', () => {
    const events = [
      mined({ ...old, order: 1 }),
      naming(mined({ ...moved, order: 4, branch: 'fork' }), 'old', 3),
      naming(mined({ ...moved, order: 6, branch: 'main' }), 'other', 5),
      dropped({ ...old, order: 3, reason: 'reorged' }),
    ];
    expect(sumsAfter(events)).toEqual([HALF, HALF, HALF, HALF]);
  });

  it('counts again when a newer report finds it', () => {
    const events = [
      mined({ ...old, order: 1 }),
      naming(mined({ ...moved, order: 4, branch: 'fork' }), 'old', 3),
      mined({ ...old, order: 5 }),
    ];
    expect(sumsAfter(events)).toEqual([HALF, HALF, DUE]);
  });
});
