import { expect, test } from 'vitest';
import { bodyOf, hasAmounts, NEW_DRAFT } from '../../src/web/pages/merchant/links/link-draft.ts';

test('a link with a fixed price can be paid once, one with an open amount any number of times', () => {
  expect(bodyOf({ ...NEW_DRAFT, amount: '5' }).maxUses).toBe(1);
  expect(bodyOf({ ...NEW_DRAFT, isFixed: false })).not.toHaveProperty('maxUses');
});

test('the chosen number of uses stays when the kind of price changes', () => {
  for (const isFixed of [true, false]) {
    expect(bodyOf({ ...NEW_DRAFT, isFixed, times: 'once' }).maxUses).toBe(1);
    expect(bodyOf({ ...NEW_DRAFT, isFixed, times: 'some', maxUses: '7' }).maxUses).toBe(7);
    expect(bodyOf({ ...NEW_DRAFT, isFixed, times: 'any' })).not.toHaveProperty('maxUses');
  }
});

test('amounts have digits, a point or a comma, and nothing else', () => {
  const isSent = (amount: string) => hasAmounts({ ...NEW_DRAFT, amount });
  for (const amount of ['1299.50', '1299,5', ' 25 ', '']) expect([amount, isSent(amount)]).toEqual([amount, true]);
  for (const amount of ['1,299.50', '1.299,50', '1 299', '12.345', 'x']) {
    expect([amount, isSent(amount)]).toEqual([amount, false]);
  }
  expect(hasAmounts({ ...NEW_DRAFT, isFixed: false, amount: 'x', min: '5', max: '1,000' })).toBe(false);
  expect(hasAmounts({ ...NEW_DRAFT, isFixed: false, amount: 'x', min: '5', max: '1000' })).toBe(true);
});
