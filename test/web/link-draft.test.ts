import { expect, test } from 'vitest';
import { bodyOf, NEW_DRAFT } from '../../src/web/pages/merchant/links/link-draft.ts';

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
