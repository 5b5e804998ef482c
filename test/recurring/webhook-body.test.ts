import { describe, expect, test } from 'vitest';
import { SCHEDULE_STATUSES, type ScheduleNotification } from '../../machines/index.ts';
import { recurringEventBody } from '../../src/recurring/webhook-body.ts';

const REQUEST = {
  id: 'evt_1',
  at: Date.UTC(2027, 0, 31, 9, 30),
  scheduleId: '6f1f0d5e-3b0a-4c1d-9a52-0d2b7c1e9f10',
  schedule: {
    mode: 'live',
    reference: 'customer-7',
    customerEmail: 'ann@example.com',
    description: 'Tea, every month',
    amountFiat: '25',
    currencyFiat: 'EUR',
    interval: 'monthly',
  },
  status: 'active',
} as const;

const HEAD =
  '"mode":"live","timestamp":"2027-01-31T09:30:00.000Z","sequence":4,"schedule_id":"6f1f0d5e-3b0a-4c1d-9a52-0d2b7c1e9f10",' +
  '"reference":"customer-7","customer_email":"ann@example.com","description":"Tea, every month","amount_fiat":"25",' +
  '"currency_fiat":"EUR","interval":"monthly","status":"active"';

describe('recurringEventBody', () => {
  const cases: readonly (readonly [ScheduleNotification, string])[] = [
    [{ event: 'recurring.confirmed', sequence: 4 }, ''],
    [
      { event: 'recurring.payment.completed', sequence: 4, periodNo: 2, transactionId: 'txn_1' },
      ',"period_no":2,"transaction_id":"txn_1"',
    ],
    [{ event: 'recurring.payment.unpaid', sequence: 4, periodNo: 2 }, ',"period_no":2'],
    [{ event: 'recurring.stopped', sequence: 4, reason: 'bounced' }, ',"reason":"bounced"'],
  ];

  test.each(cases)('writes exactly the fields of %o', (notification, details) => {
    const body = recurringEventBody({ ...REQUEST, notification });
    expect(body).toBe(`{"id":"evt_1","event":"${notification.event}",${HEAD}${details}}`);
  });

  test('omits a missing reference', () => {
    const schedule = { ...REQUEST.schedule, reference: null };
    const notification = { event: 'recurring.confirmed', sequence: 1 } as const;
    const body = JSON.parse(recurringEventBody({ ...REQUEST, schedule, notification }));
    expect(body).not.toHaveProperty('reference');
    expect(Object.values(body)).not.toContain(null);
  });

  test.each(SCHEDULE_STATUSES)('reports the status %s', (status) => {
    const notification = {
      event: 'recurring.payment.completed',
      sequence: 9,
      periodNo: 1,
      transactionId: 'txn_1',
    } as const;
    expect(JSON.parse(recurringEventBody({ ...REQUEST, status, notification }))).toMatchObject({ status, sequence: 9 });
  });
});
