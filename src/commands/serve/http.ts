import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import type { AccountsDeps } from '../../accounts/index.ts';
import {
  apiReference,
  buildServer,
  type Health,
  type HealthDetails,
  limitVisits,
  type RequestObserver,
} from '../../api/index.ts';
import { checkoutRoutes, type PublicTransactions, recurringRoutes } from '../../checkout/index.ts';
import type { Clock } from '../../clock.ts';
import type { Config } from '../../config/index.ts';
import type { LayoutOf, MerchantDeps } from '../../console/index.ts';
import type { Connection } from '../../db/index.ts';
import { RetryableError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { createTellActor } from '../../mail/index.ts';
import { type Authenticator, createAuthenticator, createPlanBook, createRateLimiter } from '../../merchants/index.ts';
import { createOutageNotice, type OutageNotice } from '../../outage-notice.ts';
import {
  type ChainOverview,
  type ClientHash,
  type CreateDeps,
  getPublicTransaction,
  listPublicTransactions,
  listPublicVersions,
  simulateAsCustomer,
} from '../../payments/index.ts';
import { createCustomerLinks, type Tokens } from '../../recurring/index.ts';
import type { Tracer } from '../../tracer.ts';
import { VERSION } from '../../version.ts';
import { networkModesOf } from '../network-modes.ts';
import { bindAccounts } from './bind-accounts.ts';
import { bindBilling } from './bind-billing.ts';
import { bindCustomerRequests } from './bind-customer-requests.ts';
import { bindHostedCheckout } from './bind-hosted-checkout.ts';
import { bindMailBounces } from './bind-mail-bounces.ts';
import { bindOperations, type OperationsBindingDeps } from './bind-operations.ts';
import { bindMarket, bindPayments } from './bind-payments.ts';
import { bindRecurring } from './bind-recurring.ts';
import { bindWebhookLog } from './bind-webhook-log.ts';
import { bindWebhookEndpoints, type WebhooksBinding } from './bind-webhooks.ts';
import { consoleDoor } from './console-door.ts';
import { portTaken } from './port.ts';
import type { Runtime } from './runtime.ts';
import { createStatsDeps } from './stats-deps.ts';

export interface HttpDeps {
  readonly config: Pick<
    Config,
    | 'host'
    | 'nodes'
    | 'trustedProxies'
    | 'operatorToken'
    | 'payMaxOpen'
    | 'payMaxOpenPerClient'
    | 'plansEnabled'
    | 'operatorMerchant'
    | 'recurringMaxUnconfirmed'
    | 'mailBounceSecret'
  >;
  readonly port: number;
  readonly connection: Connection;
  readonly runtime: Runtime;
  readonly clock: Clock;
  readonly log: Log;
  readonly tracer: Tracer;
  readonly create: CreateDeps;
  readonly clientHash: ClientHash;
  readonly tokens: Tokens;
  readonly overview: Pick<ChainOverview, 'read'>;
  readonly endpoints: WebhooksBinding['endpoints'];
  readonly accounts: AccountsDeps;
  readonly operations: Omit<OperationsBindingDeps, 'plansEnabled'>;
  readonly layoutOf?: LayoutOf | undefined;
  readonly doors: readonly FastifyPluginAsync[];
  /** Further public pages. */
  readonly pages: readonly FastifyPluginAsync[];
  readonly observer?: RequestObserver | undefined;
}

export interface Http {
  /**
   * Accepts connections. Until `open`, requests that need the database get a retryable error.
   * Rejects with a `TerminalError` when the port is taken.
   */
  listen(): Promise<void>;
  open(): void;
  /** Serves as before, and asks clients in every response to close their connection. */
  drain(): void;
  /** Accepts no new connections, and cuts off the remaining ones after `patienceMs`. */
  close(patienceMs: number): Promise<void>;
}

/** The HTTP server with all its routes. */
export async function createHttp(deps: HttpDeps): Promise<Http> {
  let isOpen = false;
  let isDraining = false;
  const notice = createOutageNotice(deps);
  const limiter = createRateLimiter({ db: deps.connection.db, clock: deps.clock });
  const app: FastifyInstance = await buildServer({
    authenticator: watchedAuthenticator(deps, notice),
    limiter,
    plans: createPlanBook({ db: deps.connection.db, clock: deps.clock, plansEnabled: deps.config.plansEnabled }),
    payments: bindPayments({ ...deps, ...deps.config }, notice),
    hostedCheckout: bindHostedCheckout(
      {
        ...deps,
        maxOpenPerKey: deps.config.payMaxOpen,
        maxOpenPerClient: deps.config.payMaxOpenPerClient,
      },
      notice,
    ),
    market: bindMarket(deps, notice),
    now: () => deps.clock.now(),
    billing: bindBilling({ ...deps, ...deps.config }, notice),
    recurring: bindRecurring({ ...deps, maxUnconfirmed: deps.config.recurringMaxUnconfirmed }, notice),
    webhookEndpoints: bindWebhookEndpoints({ ...deps, ...deps.create }, notice),
    webhookLog: bindWebhookLog({ ...deps.create, clock: deps.clock }, notice),
    bounces: bindMailBounces(bouncesOf(deps), notice),
    health: () => healthOf(deps),
    operators: { token: deps.config.operatorToken, readDetails: () => detailsOf(deps) },
    isReady: () => isOpen,
    isDraining: () => isDraining,
    version: VERSION,
    log: deps.log,
    tracer: deps.tracer,
    observer: deps.observer,
    isHttps: deps.create.publicUrl.startsWith('https:'),
    trustedProxies: deps.config.trustedProxies.map((cidr) => cidr.text),
    doors: [
      referenceDoor,
      ...[checkoutDoor(deps, () => isOpen, notice), recurringDoor(deps, () => isOpen, notice), ...deps.pages].map(
        (pages) => limitVisits(limiter, pages),
      ),
      consoleDoor({
        accounts: bindAccounts(deps.accounts, () => isOpen, notice, deps.log),
        operations: bindOperations({ ...deps.operations, plansEnabled: deps.config.plansEnabled }),
        merchant: merchantDeps(deps, notice),
        outages: notice,
        publicUrl: deps.create.publicUrl,
        layoutOf: deps.layoutOf,
        log: deps.log,
      }),
      ...deps.doors,
    ],
  });
  return {
    async listen() {
      const { port } = deps;
      const { host } = deps.config;
      try {
        await app.listen({ host, port, listenTextResolver: (address) => `listening at ${address}` });
      } catch (error) {
        throw (error as NodeJS.ErrnoException).syscall === 'listen' ? portTaken(error, { host, port }) : error;
      }
    },
    open() {
      isOpen = true;
    },
    drain() {
      isDraining = true;
    },
    async close(patienceMs) {
      isDraining = true;
      // Read what has arrived first: closing a connection with an unread request would abort the
      // request.
      await nextTurn();
      // Requests that hang or never arrive completely would delay the stop forever.
      const cutOff = setTimeout(() => app.server.closeAllConnections(), patienceMs);
      await app.close();
      clearTimeout(cutOff);
    },
  };
}

// Helpers

function watchedAuthenticator({ connection, clock }: HttpDeps, { watch }: OutageNotice): Authenticator {
  const authenticator = createAuthenticator({ db: connection.db, clock });
  return { authenticate: (apiKey) => watch(() => authenticator.authenticate(apiKey)) };
}

/** The API reference for merchants' developers. */
const referenceDoor: FastifyPluginAsync = async (app) => {
  await app.register(apiReference, { version: VERSION });
};

/** The payment page, bound to the use cases of `payments`. */
function checkoutDoor(deps: HttpDeps, isOpen: () => boolean, { watch }: OutageNotice): FastifyPluginAsync {
  const { create, clock, runtime, log } = deps;
  const { db, publicUrl } = create;
  const simulateDeps = { db, publicUrl, engine: runtime.engine, clock };
  const whenOpen = async <T>(work: () => Promise<T>): Promise<T> => {
    if (!isOpen()) throw new RetryableError('STARTING', 'The service is starting; try again shortly');
    return watch(work);
  };
  const transactions: PublicTransactions = {
    get: (id) => whenOpen(() => getPublicTransaction({ db }, id)),
    list: (ids) => whenOpen(() => listPublicTransactions({ db }, ids)),
    listVersions: (ids) => whenOpen(() => listPublicVersions(db, ids)),
    simulate: (id, request) => whenOpen(() => simulateAsCustomer(simulateDeps, id, request)),
  };
  return async (app) => {
    await app.register(checkoutRoutes, { transactions, clock, log });
  };
}

/** The pages behind links in mails, bound to the use cases of `recurring`. */
function recurringDoor(deps: HttpDeps, isOpen: () => boolean, notice: OutageNotice): FastifyPluginAsync {
  const { create, clock, clientHash, tokens, log } = deps;
  const links = createCustomerLinks({ publicUrl: create.publicUrl, tokens });
  const requests = bindCustomerRequests({ create, clock, clientHash, links }, isOpen, notice);
  return async (app) => {
    await app.register(recurringRoutes, { requests, log });
  };
}

/** What the routes of the merchant console call features with. */
function merchantDeps({ config, create, operations, ...deps }: HttpDeps, outages: OutageNotice): MerchantDeps {
  const { clock, tokens, endpoints } = deps;
  const { plansEnabled, operatorMerchant, recurringMaxUnconfirmed: maxUnconfirmed } = config;
  const { db, engine, networks, publicUrl } = create;
  return {
    db,
    engine,
    networks,
    publicUrl,
    create,
    clock,
    tokens,
    endpoints,
    feed: operations.feed,
    stats: createStatsDeps({ create, clock, plansEnabled }),
    outages,
    plansEnabled,
    operatorMerchant,
    maxUnconfirmed,
  };
}

function bouncesOf({ config, connection, runtime: { engine } }: HttpDeps) {
  return { secret: config.mailBounceSecret, db: connection.db, tellActor: createTellActor({ engine }) };
}

async function healthOf({ connection, runtime }: HttpDeps): Promise<Health> {
  const [databaseAnswers, busAnswers] = await Promise.all([connection.isHealthy(), runtime.bus.isHealthy()]);
  return { status: databaseAnswers && busAnswers ? 'ok' : 'degraded', databaseAnswers };
}

/**
 * Reading the overview also proves that the database answers; the database is queried again only
 * when the cached copy is too old.
 */
async function detailsOf({ overview, runtime, config }: HttpDeps): Promise<HealthDetails> {
  const [{ chains, strayPayments }, busAnswers] = await Promise.all([overview.read(), runtime.bus.isHealthy()]);
  const isWell = busAnswers && chains.every(({ state }) => state === 'watching');
  const modes = networkModesOf(config.nodes);
  return { status: isWell ? 'ok' : 'degraded', chains, modes, strayPayments };
}
