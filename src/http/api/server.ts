import type { Socket } from 'node:net';
import {
  type FastifyInstance,
  type FastifyPluginAsync,
  type FastifyServerOptions,
  fastify,
  LogController,
} from 'fastify';
import { SECOND_MS } from '../../../machines/index.ts';
import { newId } from '../../platform/ids.ts';
import type { Log } from '../../platform/log.ts';
import { noTracer, type Tracer } from '../../platform/tracer.ts';
import { type MerchantApiDeps, merchantApi } from './merchant-api.ts';
import { closeConnectionsWhile, closeUnusedConnections } from './plugins/drain.ts';
import { observeRequests, type RequestObserver } from './plugins/observe-requests.ts';
import { noticeUntrustedProxy, trustProxyOf } from './plugins/proxy-trust.ts';
import { rateHeaders } from './plugins/rate-limit.ts';
import { beginRequestContext } from './plugins/request-context.ts';
import { addSecurityHeaders, setSecurityHeaders, strictHeaders } from './plugins/security-headers.ts';
import { sendProblem, sendProblems } from './problem.ts';
import type { ErrorBody } from './problem-shape.ts';
import { buildValidator } from './validators.ts';

/** Prefix of the merchant API, with the version of the API. */
export const API_PREFIX = '/v1';
const BODY_LIMIT_BYTES = 1024 * 1024;
const MAX_PARAM_CHARACTERS = 500;
/** A request must have been received in full by then. */
const REQUEST_TIMEOUT_MS = 30 * SECOND_MS;
/** Longer than the pause between two heartbeats of a stream. */
const IDLE_CONNECTION_MS = 90 * SECOND_MS;

export interface ServerDeps extends Omit<MerchantApiDeps, 'isHttps' | 'warnings'> {
  readonly log: Log;
  /** Records a span per request; none when left out. */
  readonly tracer?: Tracer;
  /**
   * Whether PUBLIC_URL is https, so that the service is used over https only; false when left out.
   */
  readonly isHttps?: boolean;
  /** Addresses or CIDRs of proxies whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: readonly string[];
  /**
   * Whether the service is shutting down and connections should be closed rather
   * than kept. Left out: never.
   */
  readonly isDraining?: () => boolean;
  /**
   * Further plugins on the same server, such as the hosted checkout; each sets its
   * own prefix and error pages.
   */
  readonly plugins?: readonly FastifyPluginAsync[];
  readonly observer?: RequestObserver | undefined;
}

/** The HTTP server, not yet listening. The caller that listens also closes it. */
export async function buildServer(deps: ServerDeps): Promise<FastifyInstance> {
  const { log, tracer = noTracer, trustedProxies, isDraining, plugins = [], observer, isHttps = false, ...api } = deps;
  const common = { isHttps };
  // Requests that bypass the hooks are not counted: they cost nothing and have no effect.
  const uncounted = () => rateHeaders(api.limiter.uncounted(api.plans.anonymous));
  const app = fastify({
    ...SERVER_OPTIONS,
    loggerInstance: log as NonNullable<FastifyServerOptions['loggerInstance']>,
    trustProxy: trustProxyOf(trustedProxies),
    frameworkErrors(error, request, reply) {
      setSecurityHeaders(request, reply, common);
      void reply.headers(uncounted());
      sendProblem(error, request, reply);
    },
    clientErrorHandler: createClientErrorHandler(() => ({ ...strictHeaders(common), ...uncounted() })),
  });
  beginRequestContext(app, tracer);
  if (observer !== undefined) observeRequests(app, observer);
  addSecurityHeaders(app, common);
  closeUnusedConnections(app);
  if (isDraining !== undefined) closeConnectionsWhile(app, isDraining);
  sendProblems(app);
  const warnings = noticeUntrustedProxy(app, { isHttps, trustedProxies, log });
  const routes = (scope: FastifyInstance) => merchantApi(scope, { ...api, isHttps, warnings });
  await app.register(routes, { prefix: API_PREFIX });
  for (const plugin of plugins) await app.register(plugin);
  return app;
}

/** Shared with the OpenAPI generator, because these options affect how schemas are interpreted. */
export const SERVER_OPTIONS = {
  bodyLimit: BODY_LIMIT_BYTES,
  requestTimeout: REQUEST_TIMEOUT_MS,
  // A client that stops reading its response would keep it in memory.
  connectionTimeout: IDLE_CONNECTION_MS,
  // Fastify's limit of 10 s per plugin is meant for bugs in plugins; on a busy host
  // it would end the process.
  pluginTimeout: 0,
  // An access log is the proxy's task; failures are logged where they are answered.
  logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
  // Ids from clients could be used to forge log entries.
  requestIdHeader: false,
  genReqId: () => newId('req'),
  // While closing, requests on open connections are served as usual.
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

// Helpers

/** Responds to what Node.js cannot parse as HTTP, with the usual error envelope and headers. */
function createClientErrorHandler(headers: () => Readonly<Record<string, string>>) {
  return (error: Error & { code?: string }, socket: Socket): void => sendClientError(error, socket, headers());
}

const CLIENT_ERRORS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'The headers are too large.',
  ERR_HTTP_REQUEST_TIMEOUT: `The request was not received in full within ${REQUEST_TIMEOUT_MS / SECOND_MS} s.`,
};

function sendClientError(
  error: Error & { code?: string },
  socket: Socket,
  headers: Readonly<Record<string, string>>,
): void {
  // The client has disconnected, or a response is already being sent.
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  // Browsers connect ahead of their requests. When such a connection times out, a response could
  // answer a request that is just arriving; browsers send that again on another connection.
  if (!socket.writable || socket.bytesRead === 0) {
    socket.destroy();
    return;
  }
  const message = CLIENT_ERRORS[error.code ?? ''] ?? 'The request is not valid HTTP.';
  const body = JSON.stringify({ success: false, error: 'INVALID_REQUEST', message } satisfies ErrorBody);
  socket.end(
    [
      'HTTP/1.1 400 Bad Request',
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${newId('req')}`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
