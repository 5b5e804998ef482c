import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Diff } from '../../src/web/ui/values/diff.tsx';
import { readableValueOf } from '../../src/web/ui/values/readable-value.ts';

const WEI = { symbol: 'ETH', decimals: 18 };

test('an amount in base units is written in coins, exactly, beside what is stored', () => {
  expect(readableValueOf(['outputs', '0', 'amountBaseUnits'], '1234500000000000000001', WEI)).toEqual({
    text: '1,234.500000000000000001\u00a0ETH',
    stored: '1234500000000000000001 base units',
  });
  expect(readableValueOf(['dueBaseUnits'], '5', { symbol: 'LTC', decimals: 8 })?.text).toBe('0.00000005\u00a0LTC');
  expect(readableValueOf(['dueBaseUnits'], null, WEI)).toBeNull();
});

test('a time is written with its zone, a duration in words, and other numbers stay as they are', () => {
  const at = Date.UTC(2026, 10, 27, 12);
  for (const path of [['expiresAt'], ['lostSince', 'txid:0']])
    expect(readableValueOf(path, at, null)?.text).toMatch(/^27 Nov 2026, \d\d:\d\d:\d\d \S+$/);
  expect(readableValueOf(['lossSettlesMs'], 3_900_000, null)?.text).toBe('1 h 5 min');
  for (const path of [['depthTimerHeight'], ['confirmations'], ['seenAtHeight']])
    expect(readableValueOf(path, 2_801_204, null)).toBeNull();
});

test('a change within a second is shown to the millisecond, any other to the second', () => {
  const at = Date.UTC(2026, 10, 27, 12);
  const shown = (path: string, before: number, after: number) =>
    renderToStaticMarkup(createElement(Diff, { changes: [{ path, before, after }] }));
  expect(shown('/expiresAt', at + 5, at + 250)).toMatch(/:00\.005 .*:00\.250 /);
  expect(shown('/expiresAt', at, at + 1_000)).not.toMatch(/\.000/);
  expect(shown('/lossSettlesMs', 61_001, 61_900)).toMatch(/61,001 ms.*61,900 ms/);
});
