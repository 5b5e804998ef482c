import { expect, test } from 'vitest';
import { readableDetail } from '../../src/operations/health/alert-details.ts';

test.each([
  ['settled 36554 base units, 0 are left on the chain', 'BTC', 'settled 0.00036554 BTC, 0 BTC left on the chain'],
  ['1500000 base units of USDC in 0xab#1 on ethereum', 'ETH', '1.5 USDC in 0xab#1 on ethereum'],
  ['1500000 base units of USDC in 0xab#1 on ethereum', null, '1.5 USDC in 0xab#1 on ethereum'],
  ['Period 2 of schedule s was paid before', 'LTC', 'Period 2 of schedule s was paid before'],
  // The coin is unknown.
  ['7 base units of 0xfe in 0xab#1 on ethereum', 'ETH', '7 base units of 0xfe in 0xab#1 on ethereum'],
  ['settled 5 base units, 0 are left on the chain', null, 'settled 5 base units, 0 are left on the chain'],
])('details of an alert have coins in place of base units: %s', (detail, crypto, readable) => {
  expect(readableDetail(detail, crypto)).toBe(readable);
});
