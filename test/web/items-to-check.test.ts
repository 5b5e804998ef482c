import { expect, test } from 'vitest';
import type { SystemHealth } from '../../src/http/console/operator/schemas.ts';
import { itemsToCheck, testItemsToCheck } from '../../src/web/pages/operator/health/items-to-check.ts';
import { HEALTH } from './fake-data.ts';

const WELL: SystemHealth = {
  ...HEALTH,
  chains: HEALTH.chains.slice(0, 1),
  rates: HEALTH.rates.slice(0, 1),
  outbox: { waiting: 3, oldestAt: HEALTH.at - 2_000 },
  deadLetters: { open: 0, oldestAt: null },
  failingEndpoints: { merchants: 0, since: null },
  testFailingEndpoints: { merchants: 0, since: null },
  alerts: [],
  testAlerts: [{ id: 2, actorId: 'txn_1', alert: 'a', detail: '', at: HEALTH.at }],
  issues: [],
};

test('nothing is to check in an installation where all is well', () => {
  expect(itemsToCheck(WELL)).toEqual([]);
});

test('decisions about test payments are no fault, but listed apart', () => {
  const filter = { kind: 'transaction', state: 'expired.paidLate', mode: 'test' } as const;
  const health = { ...WELL, issues: [{ filter, count: 2, oldestAt: HEALTH.at }] };
  expect(itemsToCheck(health)).toEqual([]);
  expect(testItemsToCheck(health)).toEqual([
    {
      title: 'Late payments awaiting the merchant’s decision',
      count: 2,
      oldestAt: HEALTH.at,
      href: '/console/actors?kind=transaction&state=expired.paidLate&mode=test',
    },
  ]);
});

test('failing endpoints of test mode are no fault, but listed apart', () => {
  const health = { ...WELL, testFailingEndpoints: { merchants: 1, since: HEALTH.at } };
  expect(itemsToCheck(health)).toEqual([]);
  expect(testItemsToCheck(health)).toEqual([
    {
      title: 'Merchants with failing test webhooks',
      count: 1,
      oldestAt: HEALTH.at,
      href: '/console/merchants?failing=test',
    },
  ]);
});

const since = HEALTH.at - 3_600_000;
const rate = { source: 'kraken', succeededAt: since, failedAt: HEALTH.at, failure: 'HTTP 500' };
const chain = {
  network: 'litecoin',
  state: 'blind',
  tip: 1,
  lagBlocks: 0,
  syncedUntil: since,
  isHeld: true,
  lastError: null,
};
const actors = (filter: object) => ({
  issues: [{ filter: { kind: 'transaction', ...filter }, count: 1, oldestAt: since }],
});

test.each<[string, Partial<SystemHealth>, { oldestAt: number | null; href: string }]>([
  [
    'Open alerts',
    { alerts: [{ id: 1, actorId: '', alert: 'a', detail: '', at: since }] },
    { oldestAt: since, href: '#alerts' },
  ],
  ['The message bus does not respond', { bus: { responds: false, waiting: [] } }, { oldestAt: null, href: '#work' }],
  ['Networks behind or not watched', { chains: [chain] }, { oldestAt: since, href: '#networks' }],
  [
    'Networks behind or not watched',
    { chains: [{ ...chain, state: 'never_started', syncedUntil: null }] },
    { oldestAt: null, href: '#networks' },
  ],
  [
    'Messages not yet delivered to the bus',
    { outbox: { waiting: 1, oldestAt: since } },
    { oldestAt: since, href: '#work' },
  ],
  ['Dead letters', { deadLetters: { open: 1, oldestAt: since } }, { oldestAt: since, href: '/console/dead-letters' }],
  [
    'Payments too long in their state',
    actors({ isOverdue: true }),
    { oldestAt: since, href: '/console/actors?kind=transaction&overdue=1' },
  ],
  [
    'Payments with a late timer',
    actors({ isLate: true }),
    { oldestAt: since, href: '/console/actors?kind=transaction&late=1' },
  ],
  [
    'Payments in review awaiting the merchant’s decision',
    actors({ state: 'open.inReview', mode: 'live' }),
    { oldestAt: since, href: '/console/actors?kind=transaction&state=open.inReview&mode=live' },
  ],
  [
    'Merchants with failing webhooks',
    { failingEndpoints: { merchants: 1, since } },
    { oldestAt: since, href: '/console/merchants?failing=live' },
  ],
  ['Failing rate sources', { rates: [rate] }, { oldestAt: since, href: '#rates' }],
  ['Emails that failed in the last 7 days', { mails: { waiting: 0, failed: 1 } }, { oldestAt: null, href: '#work' }],
])('%s: %j is to check, with its list', (title, change, expected) => {
  const count = title === 'The message bus does not respond' ? null : 1;
  expect(itemsToCheck({ ...WELL, ...change })).toEqual([{ title, count, ...expected }]);
});
