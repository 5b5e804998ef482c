import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import type { AccountsDeps } from '../accounts/index.ts';
import { apiReference, buildServer, limitVisits, type RequestObserver } from '../http/api/index.ts';
import { checkoutRoutes, imageRoutes, linkRoutes, recurringRoutes } from '../http/checkout/index.ts';
import type { LayoutOf, MerchantDeps, OperatorDeps } from '../http/console/index.ts';
import { createNotifyActor } from '../mail/index.ts';
import { createAuthenticator, createPlanCache, createRateLimiter } from '../merchants/index.ts';
import { type ChainOverview, type ClientHash, type CreateDeps, createCustomerViews } from '../payments/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Config } from '../platform/config/index.ts';
import type { Connection } from '../platform/db/index.ts';
import type { Log } from '../platform/log.ts';
import type { Tracer } from '../platform/tracer.ts';
import { VERSION } from '../platform/version.ts';
import { createCustomerLinks, createCustomerRequests, type Tokens } from '../recurring/index.ts';
import { networkName } from '../wallets/index.ts';
import type { EndpointDeps } from '../webhooks/index.ts';
import { consolePlugin } from './console-plugin.ts';
import { networkModesOf } from './payment-networks-of.ts';
import { portTaken } from './port.ts';
import type { Runtime } from './runtime.ts';

export interface HttpDeps {
  readonly config: Config;
  readonly port: number;
  readonly connection: Connection;
  readonly runtime: Runtime;
  readonly clock: Clock;
  readonly log: Log;
  readonly tracer: Tracer;
  readonly create: CreateDeps;
  readonly clientHash: ClientHash;
  readonly tokens: Tokens;
  readonly overview: ChainOverview;
  readonly endpoints: EndpointDeps['endpoints'];
  readonly accounts: AccountsDeps;
  readonly operations: Omit<OperatorDeps, 'plansEnabled' | 'installation'>;
  readonly layoutOf?: LayoutOf | undefined;
  readonly plugins: readonly FastifyPluginAsync[];
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
  /** Serves as before, but each response asks the client to close its connection. */
  drain(): void;
  /** Accepts no new connections, and cuts off the remaining ones after `timeoutMs`. */
  close(timeoutMs: number): Promise<void>;
}

/** The HTTP server with all its routes. */
export async function createHttp(deps: HttpDeps): Promise<Http> {
  let isOpen = false;
  let isDraining = false;
  const { config, create, clock, clientHash, tokens, endpoints } = deps;
  const { db } = create;
  const limiter = createRateLimiter({ db, clock });
  const app: FastifyInstance = await buildServer({
    ...create,
    clock,
    clientHash,
    tokens,
    endpoints,
    authenticator: createAuthenticator({ db, clock }),
    limiter,
    plans: createPlanCache({ db, clock, plansEnabled: config.plansEnabled }),
    plansEnabled: config.plansEnabled,
    operatorMerchant: config.operatorMerchant,
    maxOpenPerKey: config.payMaxOpen,
    maxOpenPerClient: config.payMaxOpenPerClient,
    maxUnconfirmed: config.recurringMaxUnconfirmed,
    notifyActor: createNotifyActor(create),
    bounceSecret: config.mailBounceSecret,
    operatorToken: config.operatorToken,
    overview: deps.overview,
    networkModes: networkModesOf(config.nodes),
    database: deps.connection,
    bus: deps.runtime.bus,
    isReady: () => isOpen,
    isDraining: () => isDraining,
    version: VERSION,
    log: deps.log,
    tracer: deps.tracer,
    observer: deps.observer,
    isHttps: deps.create.publicUrl.startsWith('https:'),
    trustedProxies: deps.config.trustedProxies.map((cidr) => cidr.text),
    plugins: [
      limitVisits(limiter, withOptions(apiReference, { version: VERSION })),
      ...customerPages(deps).map((pages) => limitVisits(limiter, pages, () => isOpen)),
      ...deps.pages.map((pages) => limitVisits(limiter, pages)),
      consolePlugin({
        accounts: deps.accounts,
        isOpen: () => isOpen,
        sendsMails: deps.config.mail !== null,
        operations: operatorDeps(deps),
        merchant: merchantDeps(deps),
        publicUrl: deps.create.publicUrl,
        layoutOf: deps.layoutOf,
        limiter,
      }),
      ...deps.plugins,
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
    async close(timeoutMs) {
      isDraining = true;
      // Read what has arrived first: closing a connection with an unread request would abort the
      // request.
      await nextTurn();
      // Requests that hang or never arrive completely would delay the stop forever.
      const cutOff = setTimeout(() => app.server.closeAllConnections(), timeoutMs);
      await app.close();
      clearTimeout(cutOff);
    },
  };
}

// Helpers

/** Checkout pages, pages of payment links, their images, and the pages behind links in emails. */
function customerPages({ config, create, overview, clock, clientHash, log, tokens }: HttpDeps): FastifyPluginAsync[] {
  const { payMaxOpen: maxOpenPerKey, payMaxOpenPerClient: maxOpenPerClient } = config;
  const { db, publicUrl } = create;
  const transactions = createCustomerViews({ ...create, clock, sendsMails: config.mail !== null });
  const isHttps = publicUrl.startsWith('https:');
  const links = createCustomerLinks({ publicUrl, tokens });
  const requests = createCustomerRequests({ ...create, clock, clientHash, links });
  return [
    withOptions(checkoutRoutes, { transactions, clock, log }),
    withOptions(linkRoutes, { ...create, overview, clock, clientHash, maxOpenPerKey, maxOpenPerClient, isHttps }),
    withOptions(imageRoutes, { db }),
    withOptions(recurringRoutes, { requests }),
  ];
}

function withOptions<T extends object>(routes: FastifyPluginAsync<T>, options: T): FastifyPluginAsync {
  return (app) => routes(app, options);
}

/** What the routes of the operator console call features with. */
function operatorDeps({ config, create, operations }: HttpDeps): OperatorDeps {
  const { nodes, mail, plansEnabled } = config;
  const installation = {
    liveNetworks: nodes
      .filter(({ mode }) => mode === 'live')
      .map(({ chain, networkKind }) => networkName(chain, networkKind)),
    sendsMails: mail !== null,
    publicUrl: create.publicUrl,
  };
  return { ...operations, plansEnabled, installation };
}

/** What the routes of the merchant console call features with. */
function merchantDeps({ config, create, operations, ...deps }: HttpDeps): MerchantDeps {
  const { clock, tokens, endpoints } = deps;
  const { plansEnabled, operatorMerchant, recurringMaxUnconfirmed: maxUnconfirmed } = config;
  return {
    ...create,
    create,
    clock,
    tokens,
    endpoints,
    feed: operations.feed,
    search: { db: create.db, bus: deps.runtime.bus, log: deps.log },
    plansEnabled,
    operatorMerchant,
    maxUnconfirmed,
  };
}
