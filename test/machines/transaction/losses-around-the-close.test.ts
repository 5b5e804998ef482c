import { describe, expect, it } from 'vitest';
import { MINUTE_MS, SECOND_MS } from '../../../machines/index.ts';
import { play, webhooksOf } from './actor-run.ts';
import { lossSettled, windowClosed } from './chart-events.ts';
import { confirmed, dropped, seen } from './observations.ts';
import { CLOSES_AT, DUE, SETTLES_MS } from './terms.ts';

const HALF = DUE / 2n;
const CLOSED = windowClosed(CLOSES_AT + SECOND_MS);
const PENDING = ['payment.created', 'payment.pending'];

describe('rule 8: coins that vanish after the window', () => {
  it.each([
    ['seconds after it', CLOSES_AT + 5 * SECOND_MS],
    ['an hour after it, when a node that crashed has loaded its mempool', CLOSES_AT + 60 * MINUTE_MS],
  ])('%s wait for the loss to settle, whether it or the close is processed first', (_, lostAt) => {
    const loss = dropped({ order: 2, at: lostAt });
    for (const order of [
      [windowClosed(lostAt), loss],
      [loss, windowClosed(lostAt)],
    ]) {
      const run = play([seen({ order: 1 }), ...order]);
      expect(run.view().leaf).toBe('confirming');
      expect(run.timers.get('loss_settled')?.at).toBe(lostAt + SETTLES_MS);
      run.send(confirmed({ order: 3, at: lostAt + MINUTE_MS }));
      expect(webhooksOf(run)).toEqual([...PENDING, 'payment.completed']);
    }
  });

  it('still underpay immediately while the window is open, including its last millisecond', () => {
    const run = play([seen({ order: 1 }), dropped({ order: 2, at: CLOSES_AT })]);
    expect(run.view().leaf).toBe('open.awaitingPayment');
  });

  it.each([
    ['failed when nothing is left', DUE, 'failed'],
    ['expired when something is left', HALF, 'expired.watching'],
  ])('make the payment %s, although the close is processed last', (_, lost, leaf) => {
    const lostAt = CLOSES_AT + MINUTE_MS;
    const kept = lost === DUE ? [] : [seen({ id: 'kept', amount: HALF, order: 1 })];
    const run = play([
      ...kept,
      seen({ id: 'lost', amount: lost, order: 2 }),
      dropped({ id: 'lost', amount: lost, order: 3, at: lostAt }),
      lossSettled(lostAt + SETTLES_MS),
    ]);
    expect(run.view()).toMatchObject({ leaf, context: { windowClosed: true } });
    expect([...run.timers.keys()]).toEqual(['monitoring_ended']);
    run.send(CLOSED);
    expect(run.view().leaf).toBe(leaf);
    // Once they are back, only their block is awaited.
    run.send(seen({ id: 'lost', amount: lost, order: 4, at: lostAt + 2 * SETTLES_MS }));
    expect([...run.timers.keys()]).toEqual(['confirmation_deadline_passed']);
  });
});
