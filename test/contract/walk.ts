import type { ApiAnswer } from '../support/service/app.ts';
import { type Type, violations } from './check.ts';
import { ALL_ENDPOINTS, type Endpoint, type EndpointName } from './tables/endpoints.ts';
import { COMES_WITH_RETRY_AFTER, ERROR_STATUSES, errorEnvelope } from './tables/errors.ts';
import { DEPRECATION, EVERY_RESPONSE, KNOWN_RESPONSE_HEADERS, RETRY_AFTER } from './tables/headers.ts';

/**
 * Checks a whole response of an endpoint against the tables: status, headers and body. `name` is
 * null for an address that is no endpoint. Returns the violations; empty when there are none.
 */
export function walk(name: EndpointName | null, answer: ApiAnswer<unknown>): string[] {
  const endpoint = name === null ? null : ALL_ENDPOINTS[name];
  return [
    ...headerViolations(answer, EVERY_RESPONSE),
    ...windowViolations(answer),
    ...Object.keys(answer.headers).flatMap((header) =>
      KNOWN_RESPONSE_HEADERS.includes(header) ? [] : [`the header ${header} is not part of the interface`],
    ),
    ...(name === 'listBalances' && answer.status === 200 ? headerViolations(answer, { Deprecation: DEPRECATION }) : []),
    ...(endpoint === null ? [] : statusViolations(endpoint, answer)),
    ...bodyViolations(endpoint, answer),
  ];
}

/** Every status that an endpoint may return. */
export function statusesOf({ success, failures, added }: Endpoint): number[] {
  return [success, ...failures, ...added];
}

// Helpers

function headerViolations({ headers }: ApiAnswer<unknown>, expected: Readonly<Record<string, RegExp>>): string[] {
  return Object.entries(expected).flatMap(([name, pattern]) => {
    const value = headers[name.toLowerCase()];
    return pattern.test(String(value)) ? [] : [`the header ${name} is ${String(value)}`];
  });
}

function windowViolations({ headers }: ApiAnswer<unknown>): string[] {
  const limit = Number(headers['x-ratelimit-limit']);
  const remaining = Number(headers['x-ratelimit-remaining']);
  return remaining <= limit ? [] : [`${remaining} of ${limit} requests are left`];
}

function statusViolations(endpoint: Endpoint, { status }: ApiAnswer<unknown>): string[] {
  return statusesOf(endpoint).includes(status) ? [] : [`${status} is no status of this endpoint`];
}

function bodyViolations(endpoint: Endpoint | null, answer: ApiAnswer<unknown>): string[] {
  const shape = endpoint === null ? null : answerOf(endpoint, answer.status);
  if (shape === null) return failureViolations(answer);
  if ('location' in shape) {
    const leads = headerViolations(answer, { Location: shape.location });
    return answer.text === '' ? leads : [...leads, 'a redirect has no body'];
  }
  const type: Type = 'bare' in shape ? shape.bare : { fields: enveloped(shape.envelope) };
  return [...jsonViolations(answer), ...violations(answer.body, type)];
}

/** The body of a response with this status; null for an error in the error envelope. */
function answerOf(endpoint: Endpoint, status: number): Endpoint['answer'] | null {
  // An unhealthy service responds with the same body.
  const isOwn = status === endpoint.success || ('bare' in endpoint.answer && status === 503);
  return isOwn ? endpoint.answer : null;
}

function enveloped(data: Type) {
  return { success: { type: { oneOf: [true] }, required: 'yes' }, data: { type: data, required: 'yes' } } as const;
}

function failureViolations(answer: ApiAnswer<unknown>): string[] {
  const code = codeOf(answer);
  const isKnown = Object.hasOwn(ERROR_STATUSES, code);
  const retryAfter = answer.headers['retry-after'];
  return [
    ...jsonViolations(answer),
    ...violations(answer.body, { fields: errorEnvelope(code) }),
    ...(isKnown && ERROR_STATUSES[code] === answer.status ? [] : [`${code} is no code of a ${answer.status}`]),
    ...(answer.status === 401 ? headerViolations(answer, { 'WWW-Authenticate': /^Bearer realm="/ }) : []),
    ...(COMES_WITH_RETRY_AFTER.includes(code) ? headerViolations(answer, { 'Retry-After': RETRY_AFTER }) : []),
    ...(COMES_WITH_RETRY_AFTER.includes(code) || retryAfter === undefined ? [] : [`${code} comes with Retry-After`]),
  ];
}

function jsonViolations(answer: ApiAnswer<unknown>): string[] {
  return headerViolations(answer, { 'Content-Type': /^application\/json; charset=utf-8$/ });
}

/** The error code of a response; empty when it has none. */
export function codeOf({ body }: ApiAnswer<unknown>): string {
  const code = typeof body === 'object' && body !== null && 'error' in body ? body.error : '';
  return typeof code === 'string' ? code : '';
}
