import type { FastifyPluginAsync } from 'fastify';
import type { Recurring } from '../../ports.ts';
import { createScheduleRoute } from './create-schedule.ts';
import { decideScheduleRoutes } from './decide-schedule.ts';
import { getScheduleRoute } from './get-schedule.ts';
import { listPeriodsRoute } from './list-periods.ts';
import { listSchedulesRoute } from './list-schedules.ts';
import { simulateScheduleRoute } from './simulate-schedule.ts';

/** Recurring payment requests. A key sees those of its merchant and mode. */
export const recurringRoutes: FastifyPluginAsync<{ recurring: Recurring }> = async (app, options) => {
  await app.register(createScheduleRoute, options);
  await app.register(listSchedulesRoute, options);
  await app.register(getScheduleRoute, options);
  await app.register(listPeriodsRoute, options);
  await app.register(decideScheduleRoutes, options);
  await app.register(simulateScheduleRoute, options);
};
