import type { FastifyPluginAsync } from 'fastify';
import { liveRoute } from '../live/live-route.ts';
import { requireRole } from '../session/guard.ts';
import { compileValidator } from '../validate.ts';
import { attentionRoutes } from './attention/routes.ts';
import { auditRoutes } from './audit/routes.ts';
import type { MerchantDeps } from './deps.ts';
import { endpointsRoutes } from './endpoints/routes.ts';
import { keysRoutes } from './keys/routes.ts';
import { linksRoutes } from './links/routes.ts';
import { memberOf } from './member.ts';
import { overviewRoutes } from './overview/routes.ts';
import { paymentRoutes } from './payment/routes.ts';
import { paymentsRoutes } from './payments/routes.ts';
import { planRoutes } from './plan/routes.ts';
import { createReadSlots } from './read-slots.ts';
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
export const merchantRoutes: FastifyPluginAsync<{ readonly deps: MerchantDeps }> = async (app, { deps }) => {
  app.setValidatorCompiler(compileValidator);
  app.addHook('onRequest', requireRole('owner', 'staff'));
  app.addHook('onRoute', (route) => {
    route.bodyLimit ??= MAX_BODY_BYTES;
  });
  const reading = { ...deps, slots: createReadSlots() };
  await app.register(paymentsRoutes, reading);
  await app.register(paymentRoutes, deps);
  await app.register(attentionRoutes, deps);
  await app.register(overviewRoutes, reading);
  await app.register(walletsRoutes, reading);
  await app.register(keysRoutes, deps);
  await app.register(endpointsRoutes, reading);
  await app.register(linksRoutes, deps);
  await app.register(recurringRoutes, deps);
  await app.register(statisticsRoutes, reading);
  await app.register(planRoutes, deps);
  await app.register(settingsRoutes, deps);
  await app.register(auditRoutes, deps);
  await app.register(liveRoutes, deps);
};

// Helpers

interface LiveDeps extends Pick<MerchantDeps, 'feed'> {
  readonly heartbeatMs?: number;
}

/**
 * `GET /live`: the steps of the merchant's payments, schedules and deliveries as server-sent
 * events. See `liveRoute`.
 */
export const liveRoutes: FastifyPluginAsync<LiveDeps> = async (app, { feed, heartbeatMs }) => {
  liveRoute(app, {
    follow: (request, listener, since) => feed.join({ ...listener, merchantId: memberOf(request).merchantId }, since),
    heartbeatMs,
  });
};
