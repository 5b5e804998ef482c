import type { FastifyPluginAsync } from 'fastify';
import type { UnixMs } from '../../machines/index.ts';
import type { Authenticator, PlanBook, RateLimiter } from '../merchants/index.ts';
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
import type {
  Billing,
  Health,
  HostedCheckout,
  MailBounces,
  Market,
  OperatorAccess,
  Payments,
  Recurring,
  WebhookEndpoints,
  WebhookLog,
} from './ports.ts';
import { accountRoute } from './routes/account.ts';
import { balancesRoute } from './routes/balances.ts';
import { billingCheckoutRoute } from './routes/billing-checkout.ts';
import { createDetailedRoute } from './routes/create-detailed.ts';
import { createTransactionRoute } from './routes/create-transaction.ts';
import { cryptosRoute } from './routes/cryptos.ts';
import { decideTransactionRoute } from './routes/decide-transaction.ts';
import { getTransactionRoute } from './routes/get-transaction.ts';
import { healthRoute } from './routes/health.ts';
import { healthDetailsRoute } from './routes/health-details.ts';
import { invoicesRoute } from './routes/invoices.ts';
import { listTransactionsRoute } from './routes/list-transactions.ts';
import { mailBouncesRoute } from './routes/mail-bounces.ts';
import { merchantCryptosRoute } from './routes/merchant-cryptos.ts';
import { payRoute } from './routes/pay.ts';
import { plansRoute } from './routes/plans.ts';
import { pricesRoute } from './routes/prices.ts';
import { recurringRoutes } from './routes/recurring/recurring.ts';
import { simulateTransactionRoute } from './routes/simulate-transaction.ts';
import { statsRoute } from './routes/stats.ts';
import { webhookLogRoutes } from './routes/webhook-log/webhook-log.ts';
import { webhookEndpointsRoutes } from './routes/webhooks/webhook-endpoints.ts';
import { SHARED_SCHEMAS } from './schemas/shared.ts';

export interface MerchantApiDeps {
  readonly authenticator: Authenticator;
  readonly limiter: RateLimiter;
  readonly plans: PlanBook;
  readonly payments: Payments;
  readonly recurring: Recurring;
  readonly hostedCheckout: HostedCheckout;
  readonly billing: Billing;
  readonly market: Market;
  readonly webhookEndpoints: WebhookEndpoints;
  readonly webhookLog: WebhookLog;
  readonly bounces: MailBounces;
  readonly health: () => Promise<Health>;
  readonly operators: OperatorAccess;
  /** Clock of the service. */
  readonly now: () => UnixMs;
  /**
   * False during startup: everything but `GET /health` and its details then
   * answers 500 `UPSTREAM_ERROR`.
   */
  readonly isReady: () => boolean;
  /** Whether PUBLIC_URL is https. */
  readonly isHttps: boolean;
  /** Configuration problems for the operator, shown in the health details. */
  readonly warnings: () => readonly string[];
  /** Version of the service, shown by `GET /health`. */
  readonly version: string;
}

/** The merchant REST API, without the prefix it is mounted under. */
export const merchantApi: FastifyPluginAsync<MerchantApiDeps> = async (app, deps) => {
  const { authenticator, limiter, plans, payments, billing, market, health, operators, isReady, version } = deps;
  for (const schema of SHARED_SCHEMAS) app.addSchema(schema);
  app.setSerializerCompiler(({ schema }) => compileJsonWriter(schema, (id) => app.getSchema(id)));
  // Bodies are JSON; Fastify would accept plain text as well.
  app.removeContentTypeParser('text/plain');
  addNoStore(app);
  answerProblems(app);
  readQueryNumbers(app);
  describeLimits(app);
  const trusted = [operators.token, deps.bounces.secret].map(createOperatorCheck);
  const isOperator = (token: string) => trusted.some((is) => is(token));
  limitRequests(app, { identify: createIdentifier({ authenticator, isReady, isOperator }), limiter, plans });

  await app.register(healthRoute, { health, version });
  await app.register(healthDetailsRoute, { operators, warnings: deps.warnings, version });
  await app.register(async (open) => {
    requireReadiness(open, isReady);
    await open.register(mailBouncesRoute, { bounces: deps.bounces });
    await open.register(payRoute, { authenticator, hostedCheckout: deps.hostedCheckout, isHttps: deps.isHttps });
  });
  await app.register(async (secured) => {
    requireReadiness(secured, isReady);
    requireSecretKey(secured);
    await secured.register(createTransactionRoute, { payments });
    await secured.register(createDetailedRoute, { payments });
    await secured.register(listTransactionsRoute, { payments });
    await secured.register(getTransactionRoute, { payments });
    await secured.register(simulateTransactionRoute, { payments });
    await secured.register(decideTransactionRoute, { payments });
    await secured.register(recurringRoutes, { recurring: deps.recurring });
    await secured.register(pricesRoute, { market });
    await secured.register(cryptosRoute, { market });
    await secured.register(merchantCryptosRoute, { market });
    await secured.register(accountRoute, { billing });
    await secured.register(balancesRoute);
    await secured.register(statsRoute, { payments, now: deps.now });
    await secured.register(plansRoute, { billing });
    await secured.register(invoicesRoute, { billing });
    await secured.register(billingCheckoutRoute, { billing });
    await secured.register(webhookEndpointsRoutes, { endpoints: deps.webhookEndpoints });
    await secured.register(webhookLogRoutes, { log: deps.webhookLog });
  });
};
