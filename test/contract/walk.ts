import type { ApiResponse } from '../support/service/app.ts';
import { type Type, violations } from './check.ts';
import { ALL_ENDPOINTS, type Endpoint, type EndpointName } from './tables/endpoints.ts';
import { COMES_WITH_RETRY_AFTER, ERROR_STATUSES, errorEnvelope } from './tables/errors.ts';
import { DEPRECATION, EVERY_RESPONSE, KNOWN_RESPONSE_HEADERS, RETRY_AFTER } from './tables/headers.ts';

/**
 * Checks a whole response of an endpoint against the tables: status, headers and body. `name` is
 * null for an address that is no endpoint. Returns the violations; empty when there are none.
 */
export function walk(name: EndpointName | null, response: ApiResponse<unknown>): string[] {
  const endpoint = name === null ? null : ALL_ENDPOINTS[name];
  return [
    ...headerViolations(response, EVERY_RESPONSE),
    ...windowViolations(response),
    ...Object.keys(response.headers).flatMap((header) =>
      KNOWN_RESPONSE_HEADERS.includes(header) ? [] : [`the header ${header} is not part of the interface`],
    ),
    ...(name === 'listBalances' && response.status === 200
      ? headerViolations(response, { Deprecation: DEPRECATION })
      : []),
    ...(endpoint === null ? [] : statusViolations(endpoint, response)),
    ...bodyViolations(endpoint, response),
  ];
}

/** Every status that an endpoint may return. */
export function statusesOf({ success, failures, added }: Endpoint): number[] {
  return [success, ...failures, ...added];
}

// Helpers

function headerViolations({ headers }: ApiResponse<unknown>, expected: Readonly<Record<string, RegExp>>): string[] {
  return Object.entries(expected).flatMap(([name, pattern]) => {
    const value = headers[name.toLowerCase()];
    return pattern.test(String(value)) ? [] : [`the header ${name} is ${String(value)}`];
  });
}

function windowViolations({ headers }: ApiResponse<unknown>): string[] {
  const limit = Number(headers['x-ratelimit-limit']);
  const remaining = Number(headers['x-ratelimit-remaining']);
  return remaining <= limit ? [] : [`${remaining} of ${limit} requests are left`];
}

function statusViolations(endpoint: Endpoint, { status }: ApiResponse<unknown>): string[] {
  return statusesOf(endpoint).includes(status) ? [] : [`${status} is no status of this endpoint`];
}

function bodyViolations(endpoint: Endpoint | null, response: ApiResponse<unknown>): string[] {
  const shape = endpoint === null ? null : responseOf(endpoint, response.status);
  if (shape === null) return failureViolations(response);
  if ('location' in shape) {
    const leads = headerViolations(response, { Location: shape.location });
    return response.text === '' ? leads : [...leads, 'a redirect has no body'];
  }
  const type: Type = 'bare' in shape ? shape.bare : { fields: enveloped(shape.envelope) };
  return [...jsonViolations(response), ...violations(response.body, type)];
}

/** The body of a response with this status; null for an error in the error envelope. */
function responseOf(endpoint: Endpoint, status: number): Endpoint['response'] | null {
  // An unhealthy service responds with the same body.
  const isOwn = status === endpoint.success || ('bare' in endpoint.response && status === 503);
  return isOwn ? endpoint.response : null;
}

function enveloped(data: Type) {
  return { success: { type: { oneOf: [true] }, required: 'yes' }, data: { type: data, required: 'yes' } } as const;
}

function failureViolations(response: ApiResponse<unknown>): string[] {
  const code = codeOf(response);
  const isKnown = Object.hasOwn(ERROR_STATUSES, code);
  const retryAfter = response.headers['retry-after'];
  return [
    ...jsonViolations(response),
    ...violations(response.body, { fields: errorEnvelope(code) }),
    ...(isKnown && ERROR_STATUSES[code] === response.status ? [] : [`${code} is no code of a ${response.status}`]),
    ...(response.status === 401 ? headerViolations(response, { 'WWW-Authenticate': /^Bearer realm="/ }) : []),
    ...(COMES_WITH_RETRY_AFTER.includes(code) ? headerViolations(response, { 'Retry-After': RETRY_AFTER }) : []),
    ...(COMES_WITH_RETRY_AFTER.includes(code) || retryAfter === undefined ? [] : [`${code} comes with Retry-After`]),
  ];
}

function jsonViolations(response: ApiResponse<unknown>): string[] {
  return headerViolations(response, { 'Content-Type': /^application\/json; charset=utf-8$/ });
}

/** The error code of a response; empty when it has none. */
export function codeOf({ body }: ApiResponse<unknown>): string {
  const code = typeof body === 'object' && body !== null && 'error' in body ? body.error : '';
  return typeof code === 'string' ? code : '';
}
