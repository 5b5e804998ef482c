import { describe, expect, it } from 'vitest';
import { publicStateOf } from '../../../machines/index.ts';
import { play, startRun } from './actor-run.ts';
import { LIFECYCLE } from './lifecycle-rows.ts';
import { TERMS } from './terms.ts';

describe('the agreed lifecycle', () => {
  it('L1: begins: on creation the payment is pending, the merchant is notified, the address is watched', () => {
    const { opening } = startRun(TERMS);
    expect(publicStateOf(opening.after.leaf)).toEqual({ status: 'pending', exception: null });
    expect(opening.effects).toEqual([
      { type: 'watchAddress', params: {} },
      {
        type: 'startTimer',
        params: { timer: 'window_closed', dueAt: TERMS.createdAt + TERMS.windowMs, gated: true },
      },
      {
        type: 'notifyMerchant',
        params: { event: 'payment.created', status: 'pending', exception: null, sequence: 1 },
      },
    ]);
  });

  it.each(LIFECYCLE)('$name', ({ given, from, when, to, webhooks, alerts = 0 }) => {
    const run = play(given);
    expect(publicStateOf(run.view().leaf)).toEqual(from);

    const effects = when.flatMap((event) => run.send(event).effects);
    expect(publicStateOf(run.view().leaf)).toEqual(to);
    const reported = effects.flatMap((effect) => (effect.type === 'notifyMerchant' ? [effect.params.event] : []));
    expect(reported).toEqual(webhooks);
    expect(effects.filter((effect) => effect.type === 'alertOperator').length).toBe(alerts);
  });
});
