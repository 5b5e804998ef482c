import {
  type FastifyInstance,
  type FastifyPluginAsync,
  type FastifyServerOptions,
  fastify,
  LogController,
} from 'fastify';
import { newId } from '../ids.ts';
import type { Log } from '../log.ts';
import { noTracer, type Tracer } from '../tracer.ts';
import { type MerchantApiDeps, merchantApi } from './merchant-api.ts';
import { createClientErrorHandler } from './plugins/client-error.ts';
import { addCommonHeaders, setCommonHeaders, strictHeaders } from './plugins/common-headers.ts';
import { closeConnectionsWhile, closeUnusedConnections } from './plugins/drain.ts';
import { observeRequests, type RequestObserver } from './plugins/observe-requests.ts';
import { answerProblems, sendProblem } from './plugins/problems.ts';
import { rateHeaders } from './plugins/rate-limit.ts';
import { beginWork } from './plugins/request-work.ts';
import { noticeUntrustedProxy } from './plugins/untrusted-proxy.ts';
import { buildValidator } from './validators.ts';

/** Where the merchant API is mounted; the version of the interface is part of its address. */
export const API_PREFIX = '/v1';
/** Largest request body. */
const BODY_LIMIT_BYTES = 1024 * 1024;
/** Longest id in a path that is looked at. */
const MAX_PARAM_CHARACTERS = 500;
/** A request must have arrived in full by then. */
const REQUEST_TIMEOUT_MS = 30_000;

export interface ServerDeps extends Omit<MerchantApiDeps, 'isHttps' | 'warnings'> {
  readonly log: Log;
  /** Records a span per request; nothing when left out. */
  readonly tracer?: Tracer;
  /** Whether the service is reached by https alone, as PUBLIC_URL says; left out, it may not be. */
  readonly isHttps?: boolean;
  /** Addresses or CIDRs of proxies whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: readonly string[];
  /** Whether the service is about to stop: connections are to be closed then, not kept. Left out: never. */
  readonly isDraining?: () => boolean;
  /** Further doors on the same server, like the hosted checkout; each sets its own prefix and error pages. */
  readonly doors?: readonly FastifyPluginAsync[];
  readonly observer?: RequestObserver | undefined;
}

/** The HTTP server, ready to listen. Whoever listens also closes it. */
export async function buildServer(deps: ServerDeps): Promise<FastifyInstance> {
  const { log, tracer = noTracer, trustedProxies, isDraining, doors = [], observer, isHttps = false, ...api } = deps;
  const common = { isHttps };
  // Requests that no hook sees are not counted: they cost nothing and can do nothing.
  const uncounted = () => rateHeaders(api.limiter.uncounted(api.plans.anonymous));
  const app = fastify({
    ...SERVER_OPTIONS,
    loggerInstance: log as NonNullable<FastifyServerOptions['loggerInstance']>,
    trustProxy: trustedProxies.length === 0 ? false : [...trustedProxies],
    frameworkErrors(error, request, reply) {
      setCommonHeaders(request, reply, common);
      void reply.headers(uncounted());
      sendProblem(error, request, reply);
    },
    clientErrorHandler: createClientErrorHandler(() => ({ ...strictHeaders(common), ...uncounted() })),
  });
  beginWork(app, tracer);
  if (observer !== undefined) observeRequests(app, observer);
  addCommonHeaders(app, common);
  closeUnusedConnections(app);
  if (isDraining !== undefined) closeConnectionsWhile(app, isDraining);
  answerProblems(app);
  const warnings = noticeUntrustedProxy(app, { isHttps, trustedProxies, log });
  await app.register(merchantApi, { prefix: API_PREFIX, ...api, isHttps, warnings });
  for (const door of doors) await app.register(door);
  return app;
}

/** What also decides how schemas are understood, and so how the API is described. */
export const SERVER_OPTIONS = {
  bodyLimit: BODY_LIMIT_BYTES,
  requestTimeout: REQUEST_TIMEOUT_MS,
  // Fastify's 10 s for each plugin are for bugs in plugins; on a busy host they end the process.
  pluginTimeout: 0,
  // One line per request is what an access log of a proxy is for; failures are logged where they are answered.
  logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
  // Ids from outside could be forged into the log.
  requestIdHeader: false,
  genReqId: () => newId('req'),
  // While closing, requests that still come in on open connections are served like any other.
  return503OnClosing: false,
  routerOptions: { maxParamLength: MAX_PARAM_CHARACTERS },
  schemaController: { compilersFactory: { buildValidator } },
  ajv: {
    // A misspelt field in a payment request must be an error, and a text must not become an amount.
    customOptions: {
      removeAdditional: false,
      coerceTypes: false,
      useDefaults: true,
      allErrors: true,
      allowUnionTypes: true,
    },
  },
} as const satisfies FastifyServerOptions;
