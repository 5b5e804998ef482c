import { expect, test } from 'vitest';
import type { ScheduleInfo } from '../../src/http/console/merchant/recurring/schemas.ts';
import { nextStep } from '../../src/web/pages/merchant/recurring/schedule-labels.ts';

const SCHEDULE: ScheduleInfo = {
  id: 'sch_1',
  status: 'pending_confirmation',
  customerEmail: 'ada@customer.example',
  description: 'Coffee',
  amount: '24.99',
  currency: 'EUR',
  interval: 'monthly',
  reference: null,
  crypto: null,
  startAt: null,
  maxPeriods: null,
  successUrl: null,
  confirmationsSent: 1,
  confirmBy: null,
  isFinished: false,
  lastPeriodNo: 0,
  nextDueAt: null,
  createdAt: 0,
  confirmedAt: null,
  endedAt: null,
};

test('a consent email that was only stored is not called sent, and no link is promised', () => {
  const stored = [{ kind: 'confirmation', state: 'stored' }] as const;
  const live = nextStep(SCHEDULE, { emails: stored, isTest: false });
  expect(live).toContain('was stored, not sent');
  expect(live).not.toMatch(/link|[Ss]imulate/);
  expect(nextStep(SCHEDULE, { emails: stored, isTest: true })).toContain('simulate the customer on this page');
  const sent = [{ kind: 'confirmation', state: 'sent' }] as const;
  expect(nextStep(SCHEDULE, { emails: sent, isTest: true })).toContain('was asked for consent by email');
});

test('times name their zone', () => {
  const active = { ...SCHEDULE, status: 'active', nextDueAt: Date.UTC(2026, 10, 30, 20, 22) } as const;
  const text = nextStep(active, { emails: [], isTest: false });
  expect(text).toMatch(/requested on \d{1,2} \w+ 2026, \d\d:\d\d (UTC|GMT\S*|[A-Z]{2,5}):/);
});

test('a customer declines before consent, and stops the requests after it', () => {
  const stopped = { ...SCHEDULE, status: 'stopped_by_customer' } as const;
  const text = (confirmedAt: number | null) => nextStep({ ...stopped, confirmedAt }, { emails: [], isTest: true });
  expect(text(null)).toMatch(/^The customer declined\./);
  expect(text(1)).toMatch(/^The customer stopped these requests\./);
});
