import type { FastifyPluginAsync } from 'fastify';
import type { CreateScheduleDeps, DecideDeps } from '../../../recurring/index.ts';
import { createScheduleRoute } from './create-schedule.ts';
import { decideScheduleRoutes } from './decide-schedule.ts';
import { getScheduleRoute } from './get-schedule.ts';
import { listPeriodsRoute, type PeriodListDeps } from './list-periods.ts';
import { listSchedulesRoute } from './list-schedules.ts';
import { simulateScheduleRoute } from './simulate-schedule.ts';

export type RecurringDeps = CreateScheduleDeps & DecideDeps & PeriodListDeps;

/** Recurring payment requests. A key sees those of its merchant and mode. */
export const recurringRoutes: FastifyPluginAsync<RecurringDeps> = async (app, deps) => {
  await app.register(createScheduleRoute, deps);
  await app.register(listSchedulesRoute, deps);
  await app.register(getScheduleRoute, deps);
  await app.register(listPeriodsRoute, deps);
  await app.register(decideScheduleRoutes, deps);
  await app.register(simulateScheduleRoute, deps);
};
