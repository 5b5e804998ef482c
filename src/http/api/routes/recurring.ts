import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import {
  type CreateScheduleDeps,
  createCustomerLinks,
  type DecideDeps,
  getSchedule,
  listPeriods,
  listSchedules,
  type PeriodDeps,
  readScheduleId,
  type Tokens,
} from '../../../recurring/index.ts';
import { callerOf } from '../plugins/require-secret-key.ts';
import { failures } from '../schemas/error.ts';
import { ref } from '../schemas/primitives.ts';
import {
  ScheduleEnvelope,
  ScheduleListEnvelope,
  ScheduleParams,
  SchedulePeriodListEnvelope,
} from '../schemas/recurring.ts';
import { ListPeriodsQuery, ListSchedulesQuery } from '../schemas/recurring-requests.ts';
import { DEFAULT_PAGE_SIZE } from '../schemas/transaction-list.ts';
import { createRecurringRoute } from './create-recurring.ts';
import { recurringActionRoutes } from './recurring-actions.ts';
import { periodToJson, scheduleToJson } from './recurring-json.ts';

interface PeriodListDeps extends Pick<PeriodDeps, 'db'> {
  readonly publicUrl: string;
  /** Signs the links of the periods. */
  readonly tokens: Tokens;
}

export type RecurringDeps = CreateScheduleDeps & DecideDeps & PeriodListDeps;

/** Recurring payment requests. A key sees those of its merchant and mode. */
export const recurringRoutes: FastifyPluginAsyncTypebox<RecurringDeps> = async (app, deps) => {
  await app.register(createRecurringRoute, deps);

  app.get(
    '/recurring/list',
    {
      schema: {
        operationId: 'listSchedules',
        summary: 'List recurring payment requests',
        description: 'Recurring payment requests in the mode of your key, newest first.',
        tags: ['Recurring'],
        querystring: ListSchedulesQuery,
        response: { 200: ref(ScheduleListEnvelope), ...failures() },
      },
    },
    async (request, reply) => {
      const { limit = DEFAULT_PAGE_SIZE, offset = 0, status = null, reference = null } = request.query;
      const input = { limit, offset, status, reference };
      const { schedules, total } = await listSchedules(deps, callerOf(request), input);
      const data = { schedules: schedules.map(scheduleToJson), pagination: { limit, offset, total } };
      return reply.send({ success: true, data });
    },
  );

  app.get(
    '/recurring/:schedule_id',
    {
      schema: {
        operationId: 'getSchedule',
        summary: 'Get a recurring payment request',
        description: 'Returns its current state.',
        tags: ['Recurring'],
        params: ScheduleParams,
        response: { 200: ref(ScheduleEnvelope), ...failures('SCHEDULE_NOT_FOUND') },
      },
    },
    async (request, reply) => {
      const schedule = await getSchedule(deps, callerOf(request), readScheduleId(request.params.schedule_id));
      return reply.send({ success: true, data: scheduleToJson(schedule) });
    },
  );

  const showing = { db: deps.db, links: createCustomerLinks(deps) };
  app.get(
    '/recurring/:schedule_id/periods',
    {
      schema: {
        operationId: 'listSchedulePeriods',
        summary: 'List the periods of a recurring payment request',
        description: 'All periods requested or skipped so far, newest first, with their payments.',
        tags: ['Recurring'],
        params: ScheduleParams,
        querystring: ListPeriodsQuery,
        response: { 200: ref(SchedulePeriodListEnvelope), ...failures('SCHEDULE_NOT_FOUND') },
      },
    },
    async (request, reply) => {
      const scheduleId = readScheduleId(request.params.schedule_id);
      const { limit = DEFAULT_PAGE_SIZE, offset = 0 } = request.query;
      const { periods, total } = await listPeriods(showing, callerOf(request), scheduleId, { limit, offset });
      const data = { periods: periods.map(periodToJson), pagination: { limit, offset, total } };
      return reply.send({ success: true, data });
    },
  );

  await app.register(recurringActionRoutes, deps);
};
