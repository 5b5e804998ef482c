import type { FastifyInstance } from 'fastify';
import type { BillingDeps } from '../billing/index.ts';
import type { PlanCache, RateLimiter } from '../merchants/index.ts';
import { compileJsonWriter } from './json-writer.ts';
import { requireSecretKey } from './plugins/authenticate.ts';
import { addNoStore } from './plugins/common-headers.ts';
import { describeLimits } from './plugins/describe-limits.ts';
import { createIdentifier } from './plugins/identity.ts';
import { createOperatorCheck } from './plugins/operator.ts';
import { answerProblems } from './plugins/problems.ts';
import { readQueryNumbers } from './plugins/query-numbers.ts';
import { limitRequests } from './plugins/rate-limit.ts';
import { requireReadiness } from './plugins/readiness.ts';
import { accountRoute } from './routes/account.ts';
import { balancesRoute } from './routes/balances.ts';
import { billingCheckoutRoute } from './routes/billing-checkout.ts';
import { createDetailedRoute } from './routes/create-detailed.ts';
import { createTransactionRoute } from './routes/create-transaction.ts';
import { cryptosRoute } from './routes/cryptos.ts';
import { decideTransactionRoute } from './routes/decide-transaction.ts';
import { getTransactionRoute } from './routes/get-transaction.ts';
import { type HealthDeps, healthRoute } from './routes/health.ts';
import { type HealthDetailsDeps, healthDetailsRoute } from './routes/health-details.ts';
import { invoicesRoute } from './routes/invoices.ts';
import { type PaymentLinkDeps, paymentLinksRoutes } from './routes/links/payment-links.ts';
import { listTransactionsRoute } from './routes/list-transactions.ts';
import { type BounceRouteDeps, mailBouncesRoute } from './routes/mail-bounces.ts';
import { merchantCryptosRoute } from './routes/merchant-cryptos.ts';
import { type PayRouteDeps, payRoute } from './routes/pay.ts';
import { plansRoute } from './routes/plans.ts';
import { pricesRoute } from './routes/prices.ts';
import { type RecurringDeps, recurringRoutes } from './routes/recurring/recurring.ts';
import { simulateTransactionRoute } from './routes/simulate-transaction.ts';
import { statsRoute } from './routes/stats.ts';
import { webhookLogRoutes } from './routes/webhook-log/webhook-log.ts';
import { type WebhookEndpointsDeps, webhookEndpointsRoutes } from './routes/webhooks/webhook-endpoints.ts';
import { SHARED_SCHEMAS } from './schemas/shared.ts';

/** Dependencies of all routes; each route takes the few it uses. */
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
     * answers 500 `UPSTREAM_ERROR`.
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
  addNoStore(app);
  answerProblems(app);
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
    await secured.register(createTransactionRoute, deps);
    await secured.register(createDetailedRoute, deps);
    await secured.register(listTransactionsRoute, deps);
    await secured.register(getTransactionRoute, deps);
    await secured.register(simulateTransactionRoute, deps);
    await secured.register(decideTransactionRoute, deps);
    await secured.register(recurringRoutes, deps);
    await secured.register(paymentLinksRoutes, deps);
    await secured.register(pricesRoute, deps);
    await secured.register(cryptosRoute, deps);
    await secured.register(merchantCryptosRoute, deps);
    await secured.register(accountRoute, deps);
    await secured.register(balancesRoute);
    await secured.register(statsRoute, deps);
    await secured.register(plansRoute, deps);
    await secured.register(invoicesRoute, deps);
    await secured.register(billingCheckoutRoute, deps);
    await secured.register(webhookEndpointsRoutes, deps);
    await secured.register(webhookLogRoutes, deps);
  });
}
