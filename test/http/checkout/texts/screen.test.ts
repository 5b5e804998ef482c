import { describe, expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS, PUBLIC_STATES } from '../../../../machines/index.ts';
import { etagOf, SCREENS, screenOf, UPDATE_MODES } from '../../../../src/http/checkout/screen.ts';
import { BLIND_AFTER_MS } from '../../../../src/payments/index.ts';
import { NOW, SAMPLES, sampleTransaction } from '../samples.ts';

describe('the selected screen', () => {
  test.each(Object.entries(SAMPLES))('%s', (name, transaction) => {
    expect(screenOf(transaction, NOW)).toBe(name.split(',')[0]);
  });

  test('every state of the chart has one, and every screen is selected for some state or time', () => {
    const screens = Object.values(PUBLIC_STATES).map((state) => screenOf(sampleTransaction(state), NOW));
    const shown = new Set([...screens, ...Object.values(SAMPLES).map((sample) => screenOf(sample, NOW))]);
    expect([...shown].sort()).toEqual([...SCREENS].sort());
  });

  test('an expired window is shown as being checked until the chart has closed it, by the clock of the transaction', () => {
    const shifted = { isSimulated: true, syncedUntil: null, expiresAt: NOW + HOUR_MS };
    expect(screenOf(sampleTransaction({ ...shifted, clockOffsetMs: HOUR_MS - 1 }), NOW)).toBe('waiting');
    expect(screenOf(sampleTransaction({ ...shifted, clockOffsetMs: HOUR_MS }), NOW)).toBe('checking');
  });

  test('a network not polled for more than five minutes, or never, is shown as being checked; a simulated one never is', () => {
    expect(screenOf(sampleTransaction({ syncedUntil: NOW - BLIND_AFTER_MS }), NOW)).toBe('waiting');
    expect(screenOf(sampleTransaction({ syncedUntil: NOW - BLIND_AFTER_MS - 1 }), NOW)).toBe('checking');
    expect(screenOf(sampleTransaction({ syncedUntil: null }), NOW)).toBe('checking');
    expect(screenOf(sampleTransaction({ syncedUntil: null, isSimulated: true }), NOW)).toBe('waiting');
  });

  test('only a screen that is final does not update', () => {
    expect(SCREENS.filter((screen) => UPDATE_MODES[screen] === 'still')).toEqual(['completed']);
  });
});

describe('the version of a page', () => {
  const waiting = sampleTransaction();
  const seen = sampleTransaction({ status: 'awaiting_confirmation' });

  test('changes with every event, at the end of the window and when the network becomes stale', () => {
    const versions = [
      etagOf(waiting, NOW),
      etagOf({ ...waiting, sequence: 2 }, NOW),
      etagOf({ ...waiting, expiresAt: NOW }, NOW),
      etagOf({ ...waiting, syncedUntil: NOW - HOUR_MS }, NOW),
      etagOf({ ...waiting, clockOffsetMs: 1_000 }, NOW),
    ];
    expect(new Set(versions).size).toBe(versions.length);
  });

  test('changes when a user settles a loss, without an event', () => {
    const lost = sampleTransaction({ status: 'completed', loss: 'gone' });
    expect(etagOf({ ...lost, loss: 'gone_settled' }, NOW)).not.toBe(etagOf(lost, NOW));
  });

  test('changes when a user settles an excess, without an event', () => {
    const paid = sampleTransaction({ status: 'completed' });
    expect(etagOf({ ...paid, surplus: { isSettled: true, baseUnits: '1', missedDeadline: 'none' } }, NOW)).not.toBe(
      etagOf(paid, NOW),
    );
  });

  test('follows the chain height only while confirmations are counted, also while they are again', () => {
    expect(etagOf({ ...seen, tipHeight: 8 }, NOW)).not.toBe(etagOf({ ...seen, tipHeight: 9 }, NOW));
    const again = sampleTransaction({ status: 'completed', loss: 'unconfirmed' });
    expect(etagOf({ ...again, tipHeight: 8 }, NOW)).not.toBe(etagOf({ ...again, tipHeight: 9 }, NOW));
    expect(etagOf({ ...waiting, tipHeight: 8 }, NOW)).toBe(etagOf({ ...waiting, tipHeight: 9 }, NOW));
  });

  test('stays the same while only time passes inside the window', () => {
    const later = NOW + MINUTE_MS;
    expect(etagOf({ ...waiting, syncedUntil: later }, later)).toBe(etagOf(waiting, NOW));
  });

  test('is a valid ETag and event id', () => {
    expect(etagOf(waiting, NOW)).toMatch(/^[\w.]+$/);
  });
});
