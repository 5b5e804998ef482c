import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { SECOND_MS } from '../../../../machines/index.ts';
import {
  networkOf,
  type PlanCache,
  type RateLimiter,
  type RateRejection,
  type RateVerdict,
  type RequestLimits,
} from '../../../merchants/index.ts';
import { RetryableError } from '../../../platform/errors.ts';
import { isRecord } from '../../../platform/is-record.ts';
import { bindRequestContext } from '../../../platform/request-context.ts';
import { ErrorEnvelope } from '../schemas/error.ts';
import { ref } from '../schemas/primitives.ts';
import { IDENTITY, type Identity } from './identity.ts';

interface RateLimitDeps {
  readonly identify: (request: FastifyRequest) => Promise<Identity>;
  readonly limiter: RateLimiter;
  readonly plans: PlanCache;
}

/**
 * Counts every request of this scope, including those for unknown paths, and rejects those over the
 * sender's limit before anything is read or done. Every response shows how many requests are left.
 */
export function limitRequests(app: FastifyInstance, { identify, limiter, plans }: RateLimitDeps): void {
  app.decorateRequest(IDENTITY, null);
  app.addHook('onRequest', async (request, reply) => {
    // For responses to requests whose counting fails.
    setHeaders(reply, limiter.uncounted(plans.anonymous));
    const identity = await identify(request);
    request.setDecorator<Identity>(IDENTITY, identity);
    if (identity.kind === 'secret') bindRequestContext({ merchantId: identity.caller.merchantId });
    const { subject, limits } = await bucketOf(identity, request, plans);
    const verdict = subject === null ? limiter.uncounted(limits) : await limiter.count(subject, limits);
    setHeaders(reply, verdict);
    if (verdict.rejection !== null) throw tooManyRequests(verdict.rejection);
  });
}

/** Rate limit headers for the minute window. `X-RateLimit-Reset` is in Unix seconds. */
export function rateHeaders({ limit, remaining, resetAt }: RateVerdict): Record<string, string> {
  return {
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': String(Math.ceil(resetAt / SECOND_MS)),
  };
}

export function tooManyRequests({ window, limit, retryAfterMs }: RateRejection): RetryableError {
  const seconds = Math.max(1, Math.ceil(retryAfterMs / SECOND_MS));
  return new RetryableError(
    'RATE_LIMIT_EXCEEDED',
    `More than ${limit} requests in this ${window}. Repeat this one after ${seconds} seconds.`,
    { retryAfterMs },
  );
}

/** Documents, for every route of this scope, what `limitRequests` adds to its responses. */
export function describeLimits(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const { response } = route.schema ?? {};
    if (!isRecord(response)) return;
    const described = { 429: TOO_MANY_REQUESTS, ...response };
    route.schema = {
      ...route.schema,
      response: Object.fromEntries(
        Object.entries(described).map(([status, described]) => [status, withHeaders(described, status === '429')]),
      ),
    };
  });
}

// Helpers

interface Bucket {
  /** Null: the request is not counted. */
  readonly subject: string | null;
  readonly limits: RequestLimits;
}

function setHeaders(reply: FastifyReply, verdict: RateVerdict): void {
  void reply.headers(rateHeaders(verdict));
}

async function bucketOf(identity: Identity, request: FastifyRequest, plans: PlanCache): Promise<Bucket> {
  const { anonymous, limitsKeys = true } = plans;
  switch (identity.kind) {
    case 'operator':
    case 'unknown':
      return { subject: null, limits: anonymous };
    case 'anonymous':
    case 'publishable':
      return { subject: `ip ${networkOf(request.ip)}`, limits: anonymous };
    case 'secret': {
      const { keyId, plan } = identity.caller;
      const limits = await requestLimitsOf(plans, plan);
      if (limits === null) return { subject: null, limits: anonymous };
      if (!limitsKeys) return { subject: null, limits };
      // A separate count, so that a stolen key cannot use up the shop's limit from elsewhere.
      return { subject: identity.isAllowedHere ? keyId : `${keyId} elsewhere`, limits };
    }
  }
}

async function requestLimitsOf(plans: PlanCache, plan: string): Promise<RequestLimits | null> {
  try {
    return (await plans.termsOf(plan)).requests;
  } catch (error) {
    if (error instanceof RetryableError) return null;
    throw error;
  }
}

const TOO_MANY_REQUESTS = ref(ErrorEnvelope, {
  description: 'Too many requests; Retry-After says when to retry: RATE_LIMIT_EXCEEDED.',
});

const RATE_HEADERS = {
  'X-RateLimit-Limit': { type: 'integer', description: 'Requests allowed in the minute window.' },
  'X-RateLimit-Remaining': { type: 'integer', description: 'Requests left in it.' },
  'X-RateLimit-Reset': { type: 'integer', description: 'When it ends, in Unix seconds.' },
};

const RETRY_AFTER = { 'Retry-After': { type: 'integer', description: 'Seconds until you can retry.' } };

function withHeaders(described: unknown, isRejection: boolean): unknown {
  if (!isRecord(described)) return described;
  const own = isRecord(described.headers) ? described.headers : {};
  return { ...described, headers: { ...RATE_HEADERS, ...(isRejection ? RETRY_AFTER : {}), ...own } };
}
