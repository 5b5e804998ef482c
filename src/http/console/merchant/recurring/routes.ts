import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { CONFIRMATION_WINDOW_MS, MAX_CONFIRMATIONS } from '../../../../../machines/index.ts';
import { readCents } from '../../../../links/index.ts';
import { callerForMerchant, isApproved } from '../../../../merchants/index.ts';
import {
  createCustomerLinks,
  createSchedule,
  decideSchedule,
  getSchedule,
  listPeriods,
  listScheduleEmails,
  listSchedules,
  readScheduleId,
  SCHEDULE_DECISIONS,
  type ScheduleView,
  scheduleNow,
  simulateSchedule,
} from '../../../../recurring/index.ts';
import { text, whole } from '../../schema.ts';
import type { MerchantDeps } from '../deps.ts';
import { authorOf, memberOf } from '../member.ts';
import { Mode, OfMode } from '../schemas.ts';
import {
  NewScheduleBody,
  type PeriodPage,
  Reference,
  type ScheduleDetail,
  type ScheduleInfo,
  type SchedulePage,
  ScheduleStatus,
  SimulateScheduleBody,
} from './schemas.ts';

const PER_PAGE = 50;

const Offset = Type.Optional(whole(0, 1_000_000));
const PeriodsQuery = Type.Object({ mode: Mode, offset: Offset });
const SchedulesQuery = Type.Object({
  mode: Mode,
  status: Type.Optional(ScheduleStatus),
  reference: Type.Optional(Reference),
  offset: Offset,
});
/** Any text; `readScheduleId` rejects what cannot be an id. */
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

  app.get('/recurring', { schema: { querystring: SchedulesQuery } }, async (request) => {
    const { mode, status = null, reference = null, offset = 0 } = request.query;
    const { merchantId } = memberOf(request);
    const input = { limit: PER_PAGE, offset, status, reference };
    const [{ schedules, total }, approved] = await Promise.all([
      listSchedules({ db }, { merchantId, mode }, input),
      isApproved(db, merchantId),
    ]);
    const needsApproval = mode === 'live' && !approved;
    const next = nextOffset(offset, total);
    return { data: { schedules: schedules.map(toInfo), needsApproval, total, next } satisfies SchedulePage };
  });

  app.post('/recurring', { schema: { body: NewScheduleBody } }, async (request, reply) => {
    const { mode, requestId, amount, currency: currencyFiat, ...terms } = request.body;
    const { merchantId, userId } = memberOf(request);
    readCents(amount);
    const input = {
      reference: null,
      crypto: null,
      startAt: null,
      maxPeriods: null,
      successUrl: null,
      metadata: null,
      ...terms,
      // A decimal with at most two places, which a number represents exactly enough to print the
      // same digits.
      amount: Number(amount),
      currencyFiat,
    };
    const caller = await callerForMerchant(db, { merchantId, mode });
    const { schedule } = await createSchedule({ ...create, clock }, caller, input, `console:${requestId}`, userId);
    return reply.code(201).send({ data: toInfo(schedule) });
  });

  app.get('/recurring/:id', { schema: { params: ScheduleParams, querystring: OfMode } }, async (request) => {
    const id = readScheduleId(request.params.id);
    const scope = { merchantId: memberOf(request).merchantId, ...request.query };
    const [schedule, now, mails] = await Promise.all([
      getSchedule({ db }, scope, id),
      scheduleNow({ db, clock }, scope, id),
      listScheduleEmails({ db }, scope, id),
    ]);
    const data = { schedule: toInfo(schedule), now, maxConfirmations: MAX_CONFIRMATIONS, mails };
    return { data: data satisfies ScheduleDetail };
  });

  const periodPage = { params: ScheduleParams, querystring: PeriodsQuery };
  app.get('/recurring/:id/periods', { schema: periodPage }, async (request) => {
    const id = readScheduleId(request.params.id);
    const { mode, offset = 0 } = request.query;
    const { merchantId } = memberOf(request);
    const input = { limit: PER_PAGE, offset };
    const page = await listPeriods({ db, links }, { merchantId, mode }, id, input);
    return { data: { ...page, next: nextOffset(offset, page.total) } satisfies PeriodPage };
  });

  for (const decision of SCHEDULE_DECISIONS) {
    const schema = { params: ScheduleParams, body: OfMode };
    app.post(`/recurring/:id/${decision}`, { schema }, async (request) => {
      const id = readScheduleId(request.params.id);
      const { merchantId, userId } = memberOf(request);
      const scope = { merchantId, ...request.body };
      return { data: toInfo(await decideSchedule(deps, scope, id, decision, userId)) };
    });
  }

  const simulation = { params: ScheduleParams, body: SimulateScheduleBody };
  app.post('/recurring/:id/simulate', { schema: simulation }, async (request) => {
    const id = readScheduleId(request.params.id);
    const member = memberOf(request);
    const scope = { merchantId: member.merchantId, mode: 'test' } as const;
    const author = authorOf(deps, member);
    return { data: toInfo(await simulateSchedule(deps, scope, id, request.body, author)) };
  });
};

// Helpers

function toInfo({ metadata: _, isTest: __, endReason, ...schedule }: ScheduleView): ScheduleInfo {
  const isPending = schedule.status === 'pending_confirmation';
  return {
    ...schedule,
    confirmBy: isPending ? schedule.createdAt + CONFIRMATION_WINDOW_MS : null,
    isFinished: endReason === 'finished',
  };
}

function nextOffset(offset: number, total: number): number | null {
  const next = offset + PER_PAGE;
  return next < total ? next : null;
}
