import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import { CONFIRMATION_WINDOW_MS, MAX_CONFIRMATIONS } from '../../../../../machines/index.ts';
import { readCents } from '../../../../links/index.ts';
import { actFor, isApproved } from '../../../../merchants/index.ts';
import { TerminalError } from '../../../../platform/errors.ts';
import { isoTime } from '../../../../platform/iso-time.ts';
import {
  createCustomerLinks,
  createSchedule,
  decideSchedule,
  getSchedule,
  listPeriods,
  listScheduleMails,
  listSchedules,
  type PeriodView,
  type ScheduleView,
  scheduleNow,
  simulateSchedule,
} from '../../../../recurring/index.ts';
import { dataOf, text, whole } from '../../schema.ts';
import type { MerchantDeps } from '../deps.ts';
import { askerOf, memberOf } from '../member.ts';
import { Mode, OfMode } from '../schemas.ts';
import {
  NewScheduleBody,
  type PeriodInfo,
  PeriodPage,
  Reference,
  type ScheduleDecisionName,
  ScheduleDetail,
  ScheduleInfo,
  SchedulePage,
  ScheduleStatus,
  SimulateScheduleBody,
} from './schemas.ts';

const SCHEDULES_PER_PAGE = 50;
const PERIODS_PER_PAGE = 50;
const DECISIONS: readonly ScheduleDecisionName[] = ['pause', 'resume', 'cancel', 'resend-confirmation'];

const Offset = Type.Optional(whole(0, 1_000_000));
const PeriodsQuery = Type.Object({ mode: Mode, offset: Offset });
const SchedulesQuery = Type.Object({
  mode: Mode,
  status: Type.Optional(ScheduleStatus),
  reference: Type.Optional(Reference),
  offset: Offset,
});
/** Any text; `idIn` rejects what cannot be an id. */
const ScheduleParams = Type.Object({ id: text(1_000) });

type RecurringDeps = Pick<
  MerchantDeps,
  'db' | 'engine' | 'clock' | 'publicUrl' | 'create' | 'tokens' | 'maxUnconfirmed'
>;

/**
 * Recurring payment requests: list, create, read and decide. For owners and staff. Another
 * merchant's is `SCHEDULE_NOT_FOUND`.
 */
export const recurringRoutes: FastifyPluginAsyncTypebox<RecurringDeps> = async (app, deps) => {
  const { db, clock, create, publicUrl, tokens } = deps;
  const links = createCustomerLinks({ publicUrl, tokens });
  const ok = { 200: dataOf(ScheduleInfo) };

  const page = { querystring: SchedulesQuery, response: { 200: dataOf(SchedulePage) } };
  app.get('/recurring', { schema: page }, async (request) => {
    const { mode, status = null, reference = null, offset = 0 } = request.query;
    const { merchantId } = memberOf(request);
    const input = { limit: SCHEDULES_PER_PAGE, offset, status, reference };
    const [{ schedules, pagination }, approved] = await Promise.all([
      listSchedules({ db }, { merchantId, mode }, input),
      isApproved(db, merchantId),
    ]);
    const needsApproval = mode === 'live' && !approved;
    return { data: { schedules: schedules.map(toInfo), needsApproval, ...placeOf(pagination) } };
  });

  const creation = { body: NewScheduleBody, response: { 201: dataOf(ScheduleInfo) } };
  app.post('/recurring', { schema: creation }, async (request, reply) => {
    const { mode, requestId, amount, currency, startAt, ...terms } = request.body;
    const { merchantId, userId } = memberOf(request);
    readCents(amount);
    const input = {
      reference: null,
      crypto: null,
      maxPeriods: null,
      successUrl: null,
      metadata: null,
      ...terms,
      // A decimal with at most two places, which a number represents exactly enough to print the
      // same digits.
      amount: Number(amount),
      currencyFiat: currency,
      startAt: startAt === undefined ? null : isoTime(startAt),
    };
    const caller = await actFor(db, { merchantId, mode });
    const { schedule } = await createSchedule(
      { ...create, clock },
      caller,
      input,
      `console:${requestId}`,
      userId,
    ).catch(inFieldsOfTheForm);
    return reply.code(201).send({ data: toInfo(schedule) });
  });

  const detail = { params: ScheduleParams, querystring: OfMode, response: { 200: dataOf(ScheduleDetail) } };
  app.get('/recurring/:id', { schema: detail }, async (request) => {
    const id = idIn(request.params);
    const scope = { merchantId: memberOf(request).merchantId, ...request.query };
    const [schedule, now, mails] = await Promise.all([
      getSchedule({ db }, scope, id),
      scheduleNow({ db, clock }, scope, id),
      listScheduleMails({ db }, scope, id),
    ]);
    return { data: { schedule: toInfo(schedule), now, maxConfirmations: MAX_CONFIRMATIONS, mails } };
  });

  const periodPage = { params: ScheduleParams, querystring: PeriodsQuery, response: { 200: dataOf(PeriodPage) } };
  app.get('/recurring/:id/periods', { schema: periodPage }, async (request) => {
    const id = idIn(request.params);
    const { mode, offset = 0 } = request.query;
    const { merchantId } = memberOf(request);
    const input = { limit: PERIODS_PER_PAGE, offset };
    const { periods, pagination } = await listPeriods({ db, links }, { merchantId, mode }, id, input);
    return { data: { periods: periods.map(toPeriod), ...placeOf(pagination) } };
  });

  for (const decision of DECISIONS) {
    const schema = { params: ScheduleParams, body: OfMode, response: ok };
    app.post(`/recurring/:id/${decision}`, { schema }, async (request) => {
      const id = idIn(request.params);
      const { merchantId, userId } = memberOf(request);
      const scope = { merchantId, ...request.body };
      return { data: toInfo(await decideSchedule(deps, scope, id, decision, userId)) };
    });
  }

  const simulation = { params: ScheduleParams, body: SimulateScheduleBody, response: ok };
  app.post('/recurring/:id/simulate', { schema: simulation }, async (request) => {
    const id = idIn(request.params);
    const member = memberOf(request);
    const scope = { merchantId: member.merchantId, mode: 'test' } as const;
    const asker = askerOf(deps, member);
    return { data: toInfo(await simulateSchedule(deps, scope, id, request.body, asker)) };
  });
};

// Helpers

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Rejects text that cannot be an id before it reaches the database. */
function idIn({ id }: Static<typeof ScheduleParams>): string {
  if (UUID.test(id)) return id.toLowerCase();
  throw new TerminalError('SCHEDULE_NOT_FOUND', 'No recurring payment request has this id');
}

function toInfo(view: ScheduleView): ScheduleInfo {
  const createdAt = Date.parse(view.created_at);
  return {
    id: view.schedule_id,
    reference: view.reference,
    customerEmail: view.customer_email,
    description: view.description,
    amount: view.amount_fiat,
    currency: view.currency_fiat,
    interval: view.interval,
    status: view.status,
    crypto: view.crypto,
    startAt: momentOf(view.start_at),
    maxPeriods: view.max_periods,
    successUrl: view.success_url,
    confirmationsSent: view.confirmations_sent,
    lastPeriodNo: view.last_period_no,
    nextDueAt: momentOf(view.next_due_at),
    createdAt,
    confirmBy: view.status === 'pending_confirmation' ? createdAt + CONFIRMATION_WINDOW_MS : null,
    confirmedAt: momentOf(view.confirmed_at),
    endedAt: momentOf(view.ended_at),
    isFinished: view.end_reason === 'finished',
  };
}

function toPeriod(view: PeriodView): PeriodInfo {
  return {
    periodNo: view.period_no,
    status: view.status,
    dueAt: Date.parse(view.due_at),
    requestedAt: momentOf(view.requested_at),
    remindersSent: view.reminders_sent,
    settledAt: momentOf(view.settled_at),
    paymentId: view.transaction_id,
    paymentUrl: view.payment_url,
    attemptIds: view.attempts,
    excessPaymentIds: view.excess_transaction_ids,
  };
}

function momentOf(text: string | null): number | null {
  return text === null ? null : Date.parse(text);
}

function placeOf({ limit, offset, total }: { limit: number; offset: number; total: number }) {
  return { total, next: offset + limit < total ? offset + limit : null };
}

/**
 * Renames the fields in errors, which the feature names as the REST API does, to those of the
 * form.
 */
function inFieldsOfTheForm(error: unknown): never {
  const isOfStart = error instanceof TerminalError && error.message.startsWith('start_at ');
  if (!isOfStart) throw error;
  const { code, message } = error;
  throw new TerminalError(code, message.replace('start_at', 'startAt'), { field: 'startAt', cause: error });
}
