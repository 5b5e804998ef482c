import type { FastifyPluginAsync } from 'fastify';
import { requireRole } from '../session/index.ts';
import { attentionRoutes } from './attention/routes.ts';
import { auditRoutes } from './audit/routes.ts';
import type { Desk } from './desk.ts';
import { endpointsRoutes } from './endpoints/routes.ts';
import { keysRoutes } from './keys/routes.ts';
import { linksRoutes } from './links/routes.ts';
import { liveRoutes } from './live/routes.ts';
import { overviewRoutes } from './overview/routes.ts';
import { paymentRoutes } from './payment/routes.ts';
import { paymentsRoutes } from './payments/routes.ts';
import { planRoutes } from './plan/routes.ts';
import { answerDeskProblems } from './problems.ts';
import { recurringRoutes } from './recurring/routes.ts';
import { settingsRoutes } from './settings/routes.ts';
import { statisticsRoutes } from './statistics/routes.ts';
import { walletsRoutes } from './wallets/routes.ts';

/** Bodies contain a few short texts. */
const MAX_BODY_BYTES = 16 * 1_024;

/**
 * The merchant console API, to be registered under `/console/api/merchant` in a guarded scope. Only
 * for owners and staff; routes for owners alone say so. Responses are `{data}`.
 */
export const merchantRoutes: FastifyPluginAsync<{ readonly desk: Desk }> = async (app, { desk }) => {
  answerDeskProblems(app);
  app.addHook('onRequest', requireRole('owner', 'staff'));
  app.addHook('onRoute', (route) => {
    route.bodyLimit ??= MAX_BODY_BYTES;
  });
  await app.register(paymentsRoutes, { payments: desk.payments });
  await app.register(paymentRoutes, { payment: desk.payment });
  await app.register(attentionRoutes, { attention: desk.attention });
  await app.register(overviewRoutes, { overview: desk.overview });
  await app.register(walletsRoutes, { wallets: desk.wallets });
  await app.register(keysRoutes, { keys: desk.keys });
  await app.register(endpointsRoutes, { endpoints: desk.endpoints });
  await app.register(linksRoutes, { links: desk.links });
  await app.register(recurringRoutes, { recurring: desk.recurring });
  await app.register(statisticsRoutes, { statistics: desk.statistics });
  await app.register(planRoutes, { plan: desk.plan });
  await app.register(settingsRoutes, { settings: desk.settings });
  await app.register(auditRoutes, { audit: desk.audit });
  await app.register(liveRoutes, { live: desk.live });
};
