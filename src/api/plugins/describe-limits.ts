import type { FastifyInstance } from 'fastify';
import { ErrorEnvelope } from '../schemas/error.ts';
import { ref } from '../schemas/ref.ts';

/** Documents, for every route of this scope, what `limitRequests` adds to its responses. */
export function describeLimits(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const { response } = route.schema ?? {};
    if (!isRecord(response)) return;
    const described = { 429: TOO_MANY_REQUESTS, ...response };
    route.schema = {
      ...route.schema,
      response: Object.fromEntries(
        Object.entries(described).map(([status, answer]) => [status, withHeaders(answer, status === '429')]),
      ),
    };
  });
}

// Helpers

const TOO_MANY_REQUESTS = ref(ErrorEnvelope, {
  description: 'Too many requests, Retry-After says when to go on: RATE_LIMIT_EXCEEDED.',
});

const RATE_HEADERS = {
  'X-RateLimit-Limit': { type: 'integer', description: 'Requests the minute window takes.' },
  'X-RateLimit-Remaining': { type: 'integer', description: 'Requests it still takes.' },
  'X-RateLimit-Reset': { type: 'integer', description: 'When it ends, in Unix seconds.' },
};

const RETRY_AFTER = { 'Retry-After': { type: 'integer', description: 'Seconds until the request can be repeated.' } };

function withHeaders(answer: unknown, isRefusal: boolean): unknown {
  if (!isRecord(answer)) return answer;
  const own = isRecord(answer.headers) ? answer.headers : {};
  return { ...answer, headers: { ...RATE_HEADERS, ...(isRefusal ? RETRY_AFTER : {}), ...own } };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
