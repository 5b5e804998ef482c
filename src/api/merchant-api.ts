import type { FastifyPluginAsync } from 'fastify';
import type { Authenticator } from '../merchants/index.ts';
import { requireSecretKey } from './plugins/authenticate.ts';
import { addNoStore } from './plugins/common-headers.ts';
import { answerProblems } from './plugins/problems.ts';
import { readQueryNumbers } from './plugins/query-numbers.ts';
import { requireReadiness } from './plugins/readiness.ts';
import type { Health, OperatorAccess, Payments } from './ports.ts';
import { createTransactionRoute } from './routes/create-transaction.ts';
import { getTransactionRoute } from './routes/get-transaction.ts';
import { healthRoute } from './routes/health.ts';
import { healthDetailsRoute } from './routes/health-details.ts';
import { listTransactionsRoute } from './routes/list-transactions.ts';
import { simulateTransactionRoute } from './routes/simulate-transaction.ts';
import { SHARED_SCHEMAS } from './schemas/shared.ts';

export interface MerchantApiDeps {
  readonly authenticator: Authenticator;
  readonly payments: Payments;
  readonly health: () => Promise<Health>;
  readonly operators: OperatorAccess;
  /** False while the service starts: everything but `GET /health` and its details answers 503 then. */
  readonly isReady: () => boolean;
  /** Version of the service, shown by `GET /health`. */
  readonly version: string;
}

/** The merchant REST API, without the prefix it is mounted under. */
export const merchantApi: FastifyPluginAsync<MerchantApiDeps> = async (app, deps) => {
  const { authenticator, payments, health, operators, isReady, version } = deps;
  for (const schema of SHARED_SCHEMAS) app.addSchema(schema);
  // Bodies are JSON; Fastify would take plain text as well.
  app.removeContentTypeParser('text/plain');
  addNoStore(app);
  answerProblems(app);
  readQueryNumbers(app);

  await app.register(healthRoute, { health, version });
  await app.register(healthDetailsRoute, { operators, version });
  await app.register(async (secured) => {
    requireReadiness(secured, isReady);
    requireSecretKey(secured, authenticator);
    await secured.register(createTransactionRoute, { payments });
    await secured.register(listTransactionsRoute, { payments });
    await secured.register(getTransactionRoute, { payments });
    await secured.register(simulateTransactionRoute, { payments });
  });
};
