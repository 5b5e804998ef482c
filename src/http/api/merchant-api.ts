import type { FastifyInstance } from 'fastify';
import type { BillingDeps } from '../../billing/index.ts';
import type { PlanCache, RateLimiter } from '../../merchants/index.ts';
import { compileJsonWriter } from './json-writer.ts';
import { createIdentifier } from './plugins/identity.ts';
import { createOperatorCheck } from './plugins/operator.ts';
import { readQueryNumbers } from './plugins/query-numbers.ts';
import { describeLimits, limitRequests } from './plugins/rate-limit.ts';
import { requireReadiness } from './plugins/readiness.ts';
import { requireSecretKey } from './plugins/require-secret-key.ts';
import { sendProblems } from './problem.ts';
import { accountRoutes } from './routes/account.ts';
import { billingRoutes } from './routes/billing.ts';
import { createTransactionRoutes } from './routes/create-transaction.ts';
import { type HealthDeps, type HealthDetailsDeps, healthDetailsRoute, healthRoute } from './routes/health.ts';
import { type BounceRouteDeps, mailBouncesRoute } from './routes/mail-bounces.ts';
import { marketRoutes } from './routes/market.ts';
import { type PayRouteDeps, payRoute } from './routes/pay.ts';
import { type PaymentLinkDeps, paymentLinksRoutes } from './routes/payment-links.ts';
import { type RecurringDeps, recurringRoutes } from './routes/recurring.ts';
import { statsRoute } from './routes/stats.ts';
import { transactionRoutes } from './routes/transactions.ts';
import { webhookDeliveryRoutes } from './routes/webhook-deliveries.ts';
import { type WebhookEndpointsDeps, webhookEndpointRoutes } from './routes/webhook-endpoints.ts';
import { SHARED_SCHEMAS } from './schemas/shared.ts';

/** Dependencies of all routes; each route declares the few it uses. */
export type MerchantApiDeps = BillingDeps &
  PayRouteDeps &
  RecurringDeps &
  WebhookEndpointsDeps &
  PaymentLinkDeps &
  BounceRouteDeps &
  HealthDeps &
  HealthDetailsDeps & {
    readonly limiter: RateLimiter;
    readonly plans: PlanCache;
    /**
     * False during startup: everything but `GET /health` and its details then
     * responds with 500 `UPSTREAM_ERROR`.
     */
    readonly isReady: () => boolean;
  };

/** The merchant REST API, without the prefix it is mounted under. */
export async function merchantApi(app: FastifyInstance, deps: MerchantApiDeps): Promise<void> {
  const { authenticator, limiter, plans, operatorToken, bounceSecret, isReady } = deps;
  for (const schema of SHARED_SCHEMAS) app.addSchema(schema);
  app.setSerializerCompiler(({ schema }) => compileJsonWriter(schema, (id) => app.getSchema(id)));
  // Bodies are JSON; Fastify would accept plain text as well.
  app.removeContentTypeParser('text/plain');
  sendProblems(app);
  readQueryNumbers(app);
  describeLimits(app);
  const trusted = [operatorToken, bounceSecret].map(createOperatorCheck);
  const isOperator = (token: string) => trusted.some((is) => is(token));
  limitRequests(app, { identify: createIdentifier({ authenticator, isReady, isOperator }), limiter, plans });

  await app.register(healthRoute, deps);
  await app.register(healthDetailsRoute, deps);
  await app.register(async (open) => {
    requireReadiness(open, isReady);
    await open.register(mailBouncesRoute, deps);
    await open.register(payRoute, deps);
  });
  await app.register(async (secured) => {
    requireReadiness(secured, isReady);
    requireSecretKey(secured);
    await secured.register(createTransactionRoutes, deps);
    await secured.register(transactionRoutes, deps);
    await secured.register(recurringRoutes, deps);
    await secured.register(paymentLinksRoutes, deps);
    await secured.register(marketRoutes, deps);
    await secured.register(accountRoutes, deps);
    await secured.register(statsRoute, deps);
    await secured.register(billingRoutes, deps);
    await secured.register(webhookEndpointRoutes, deps);
    await secured.register(webhookDeliveryRoutes, deps);
  });
}
