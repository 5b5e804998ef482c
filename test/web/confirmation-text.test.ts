import { expect, test } from 'vitest';
import { confirmationText } from '../../src/web/pages/operator/actor/confirmation-text.ts';

const MEMPOOL = { presence: 'mempool', height: null, confirmedAt: null };
const MINED = { presence: 'block', height: 101, confirmedAt: null };
const GONE = { presence: 'gone', height: 100, confirmedAt: null };

function textOf(outputs: readonly object[], confirmationsRequired = 3): string {
  return confirmationText({ kind: 'transaction', state: 'confirming', context: { outputs, confirmationsRequired } });
}

test('says where the coins of a confirming payment are, and how many confirmations they need', () => {
  expect(textOf([MEMPOOL, GONE], 1)).toBe('0 of 1 confirmation: not in a block yet.');
  expect(textOf([MEMPOOL, MINED])).toBe('0 of 3 confirmations: not in a block yet.');
  expect(textOf([MINED, GONE])).toBe('In block 101; needs 3 confirmations.');
  expect(textOf([GONE])).toBe('');
});

test('says nothing about other states and kinds, and about unknown contexts', () => {
  expect(confirmationText({ kind: 'transaction', state: 'completed', context: { outputs: [MEMPOOL] } })).toBe('');
  expect(confirmationText({ kind: 'delivery', state: 'confirming', context: {} })).toBe('');
  expect(confirmationText({ kind: 'transaction', state: 'confirming', context: {} })).toBe('');
});
