import type { FieldTable, Type } from '../check.ts';
import { CRYPTO_SYMBOLS, FIAT_CURRENCIES, INTERVALS, SCHEDULE_STATUSES } from './values.ts';

/**
 * Recurring payment requests: the interface has their events and statuses, and leaves the endpoints
 * open.
 */
const SCHEDULE: FieldTable = {
  schedule_id: { type: 'uuid', required: 'yes' },
  reference: { type: 'string', required: 'yes', nullable: true },
  customer_email: { type: 'email', required: 'yes' },
  description: { type: 'string', required: 'yes' },
  amount_fiat: { type: 'number', required: 'yes' },
  currency_fiat: { type: { oneOf: FIAT_CURRENCIES }, required: 'yes' },
  interval: { type: { oneOf: INTERVALS }, required: 'yes' },
  status: { type: { oneOf: SCHEDULE_STATUSES }, required: 'yes' },
  crypto: { type: { oneOf: CRYPTO_SYMBOLS }, required: 'yes', nullable: true },
  start_at: { type: 'date-time', required: 'yes', nullable: true },
  max_periods: { type: 'integer', required: 'yes', nullable: true },
  metadata: { type: 'free-form object', required: 'yes', nullable: true },
  success_url: { type: 'uri', required: 'yes', nullable: true },
  is_test: { type: 'boolean', required: 'yes' },
  confirmations_sent: { type: 'integer', required: 'yes' },
  last_period_no: { type: 'integer', required: 'yes' },
  next_due_at: { type: 'date-time', required: 'yes', nullable: true },
  created_at: { type: 'date-time', required: 'yes' },
  confirmed_at: { type: 'date-time', required: 'yes', nullable: true },
  ended_at: { type: 'date-time', required: 'yes', nullable: true },
  end_reason: {
    type: { oneOf: ['cancelled', 'finished', 'stopped_by_customer', 'bounced', 'unconfirmed'] },
    required: 'yes',
    nullable: true,
  },
};

const PERIOD: FieldTable = {
  period_no: { type: 'integer', required: 'yes' },
  status: { type: { oneOf: ['awaited', 'paid', 'unpaid', 'skipped'] }, required: 'yes' },
  due_at: { type: 'date-time', required: 'yes' },
  requested_at: { type: 'date-time', required: 'yes', nullable: true },
  reminders_sent: { type: 'integer', required: 'yes' },
  settled_at: { type: 'date-time', required: 'yes', nullable: true },
  transaction_id: { type: 'string', required: 'yes', nullable: true },
  payment_url: { type: 'uri', required: 'yes', nullable: true },
  attempts: { type: { listOf: 'string' }, required: 'yes' },
  excess_transaction_ids: { type: { listOf: 'string' }, required: 'yes' },
};

function pageOf(name: string, fields: FieldTable): Type {
  const whole = { type: 'integer', required: 'yes' } as const;
  return {
    fields: {
      [name]: { type: { listOf: { fields } }, required: 'yes' },
      pagination: { type: { fields: { limit: whole, offset: whole, total: whole } }, required: 'yes' },
    },
  };
}

const READ = { method: 'GET', access: 'secret key', success: 200, failures: [] } as const;
const ACT = {
  ...READ,
  method: 'POST',
  response: { envelope: { fields: SCHEDULE } },
  added: [400, 401, 403, 404, 409, 429, 500],
} as const;

export const RECURRING = {
  createSchedule: {
    ...ACT,
    success: 201,
    path: '/recurring/create',
    added: [400, 401, 403, 409, 429, 500],
    body: { customer_email: 'jo@example.com', amount: 25, interval: 'monthly', description: 'Climbing hall' },
    why: 'the interface has events of recurring payment requests, and no way to make one',
  },
  listSchedules: {
    ...READ,
    path: '/recurring/list',
    response: { envelope: pageOf('schedules', SCHEDULE) },
    added: [400, 401, 403, 429, 500],
    why: 'merchants with many customers must find one by reference',
  },
  getSchedule: {
    ...READ,
    path: '/recurring/{schedule_id}',
    response: { envelope: { fields: SCHEDULE } },
    added: [401, 403, 404, 429, 500],
    why: 'events can be late; this is what holds now',
  },
  listSchedulePeriods: {
    ...READ,
    path: '/recurring/{schedule_id}/periods',
    response: { envelope: pageOf('periods', PERIOD) },
    added: [400, 401, 403, 404, 429, 500],
    why: 'an event names a period, and which payments were tried for it is nowhere else',
  },
  pauseSchedule: {
    ...ACT,
    path: '/recurring/{schedule_id}/pause',
    why: 'the interface has the status paused, and nothing that leads there',
  },
  resumeSchedule: { ...ACT, path: '/recurring/{schedule_id}/resume', why: 'likewise' },
  cancelSchedule: { ...ACT, path: '/recurring/{schedule_id}/cancel', why: 'likewise for cancelled' },
  resendScheduleConfirmation: {
    ...ACT,
    path: '/recurring/{schedule_id}/resend-confirmation',
    why: 'mails get lost',
  },
  simulateSchedule: {
    ...ACT,
    path: '/recurring/{schedule_id}/simulate',
    body: { action: 'confirm' },
    why: 'a test must not take a month',
  },
} as const;
