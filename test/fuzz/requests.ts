import fc from 'fast-check';
import { consistentBodies } from './consistent-bodies.ts';
import { existingIds, FIELD_VALUES } from './field-values.ts';
import {
  HOSTILE_BODIES,
  HOSTILE_CONTENT_TYPES,
  HOSTILE_HEADERS,
  HOSTILE_PATHS,
  HOSTILE_QUERIES,
  HOSTILE_TEXTS,
  ODD_METHODS,
} from './hostile.ts';
import { keysFor } from './keys.ts';
import { mistakesOf, wrongValuesOf } from './mistakes.ts';
import type { Parameter, RequestDescription } from './operations.ts';
import { valuesOf } from './values.ts';

/** A generated request with placeholders, and the operation it is meant for. */
export interface FuzzRequest {
  /** Name of the operation; null when there is none or it is not known. */
  readonly operation: string | null;
  readonly flavour: 'valid' | 'mutated' | 'hostile';
  /** Name of the key sent as bearer token; null for none. */
  readonly key: string | null;
  readonly method: string;
  /** Without query; `{name}` is filled from `parameters`. */
  readonly path: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: readonly (readonly [string, string])[];
  /** Appended to the query unchanged. */
  readonly rawQuery: string | null;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: { readonly json: unknown } | { readonly raw: string | Uint8Array } | null;
  /** Client address reported by a trusted proxy. */
  readonly from: string;
  /** Number of concurrent copies, as from an impatient client. */
  readonly copies: number;
}

/** Requests for any operation, weighted by the number of its inputs. */
export function anyRequests(operations: readonly RequestDescription[]): fc.Arbitrary<FuzzRequest> {
  const weighed = operations.map((operation) => {
    const { path, parameters, body } = operation;
    const described = operations.filter((other) => other.path === path).map(({ method }) => method);
    const weight = 2 + parameters.length + Object.keys(body?.properties ?? {}).length;
    return { weight, arbitrary: requestsFor(operation, described) };
  });
  return fc.oneof(...weighed);
}

// Helpers

/**
 * Requests for one operation: valid ones, ones with one mistake, and hostile ones. `described` are
 * the methods of its path.
 */
function requestsFor(operation: RequestDescription, described: readonly string[]): fc.Arbitrary<FuzzRequest> {
  const valid = validRequests(operation);
  return fc.oneof(
    { weight: 5, arbitrary: valid },
    { weight: 4, arbitrary: changed(valid, 'mutated', mutationsOf(operation)) },
    { weight: 3, arbitrary: changed(valid, 'hostile', attacksOn(operation, described)) },
  );
}

type RequestChange = (request: FuzzRequest) => FuzzRequest;

function changed(
  requests: fc.Arbitrary<FuzzRequest>,
  flavour: FuzzRequest['flavour'],
  changes: readonly fc.Arbitrary<RequestChange>[],
): fc.Arbitrary<FuzzRequest> {
  return fc.tuple(requests, fc.oneof(...changes)).map(([request, change]) => ({ ...change(request), flavour }));
}

function validRequests(operation: RequestDescription): fc.Arbitrary<FuzzRequest> {
  const { name, method, path, body } = operation;
  const parametersIn = (location: Parameter['in']) => parametersOf(operation, location);
  return fc.record({
    operation: fc.constant(name),
    flavour: fc.constant('valid' as const),
    key: keysFor(operation),
    method: fc.constant(method),
    path: fc.constant(path),
    parameters: parametersIn('path'),
    query: parametersIn('query').map((values) => Object.entries(values)),
    rawQuery: fc.constant(null),
    headers: parametersIn('header').map((values) => Object.entries(values)),
    body: body === null ? fc.constant(null) : bodiesOf(operation).map((json) => ({ json })),
    from: fc.nat({ max: 200 }).map((nth) => `203.0.113.${nth}`),
    copies: fc.oneof({ weight: 30, arbitrary: fc.constant(1) }, { weight: 1, arbitrary: fc.constant(3) }),
  });
}

function parametersOf(
  { name, parameters }: RequestDescription,
  location: Parameter['in'],
): fc.Arbitrary<Record<string, string>> {
  const here = parameters.filter((parameter) => parameter.in === location);
  const values = here.map((parameter) => {
    const described = valuesOf(parameter.schema, `${name}, ${parameter.name}`).map(String);
    const meant = FIELD_VALUES[parameter.name] ?? (location === 'path' ? existingIds(parameter.name) : undefined);
    return [parameter.name, orMeant(described, meant)] as const;
  });
  const required = here.filter(({ isRequired }) => isRequired).map((parameter) => parameter.name);
  return fc.record(Object.fromEntries(values), { requiredKeys: required, noNullPrototype: true });
}

function bodiesOf({ name, body }: RequestDescription): fc.Arbitrary<unknown> {
  const { properties = {}, required = [], ...rest } = body ?? {};
  const fields = Object.entries(properties).map(([field, schema]) => {
    const described = valuesOf(schema, `${name}, ${field}`);
    return [field, isNamedText(schema.type) ? orMeant(described, FIELD_VALUES[field]) : described] as const;
  });
  if (fields.length === 0) return valuesOf(rest, `${name}, body`);
  const some = fc.record(Object.fromEntries(fields), { requiredKeys: [...required], noNullPrototype: true });
  if (required.length > 0) return consistentBodies(name, some);
  // When all fields are optional, most clients send only one.
  return fc.oneof(some, fc.oneof(...fields.map(([field, value]) => value.map((only) => ({ [field]: only })))));
}

function isNamedText(type: unknown): boolean {
  return [type].flat().includes('string');
}

function orMeant<T>(described: fc.Arbitrary<T>, meant: fc.Arbitrary<string> | undefined): fc.Arbitrary<T | string> {
  if (meant === undefined) return described;
  return fc.oneof({ weight: 8, arbitrary: meant }, { weight: 1, arbitrary: described });
}

/** A program, and a browser: a page may ask its reader for what is missing. */
const CLIENTS: readonly FuzzRequest['headers'][] = [[], [['accept', 'text/html']]];

/** One value that the description forbids or does not know. */
function mutationsOf({ body, parameters }: RequestDescription): fc.Arbitrary<RequestChange>[] {
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  const changes: fc.Arbitrary<RequestChange>[] = [
    fc.constantFrom('limits', 'merchant_id', '__proto__', 'key', '').map(
      (name): RequestChange =>
        (request) => ({ ...request, query: [...request.query, [name, '1']] }),
    ),
    fc.constant<RequestChange>((request) => ({
      ...request,
      body: request.body === null ? { json: { amount: 5 } } : null,
    })),
  ];
  for (const { name, schema } of inQuery) {
    const wrong = wrongValuesOf(schema).map(asText);
    changes.push(
      wrong.map(
        (text): RequestChange =>
          (request) => ({ ...request, query: withValue(request.query, name, text) }),
      ),
    );
    changes.push(
      fc.constant<RequestChange>((request) => ({ ...request, query: [...request.query, ...twice(request, name)] })),
    );
    changes.push(
      fc.constantFrom(...CLIENTS).map(
        (headers): RequestChange =>
          (request) => ({
            ...request,
            headers: [...request.headers, ...headers],
            query: request.query.filter(([other]) => other !== name),
          }),
      ),
    );
  }
  for (const { name, schema } of parameters.filter((parameter) => parameter.in === 'header')) {
    const wrong = wrongValuesOf(schema).map(asText);
    changes.push(
      wrong.map(
        (text): RequestChange =>
          (request) => ({ ...request, headers: [...request.headers, [name, text]] }),
      ),
    );
  }
  if (body !== null) {
    const mistakes = mistakesOf(body).map(
      (mistake): RequestChange =>
        (request) => ({ ...request, body: { json: mistake(jsonOf(request)) } }),
    );
    // Mistakes in the body matter most.
    changes.push(...Array.from({ length: changes.length * 2 }, () => mistakes));
  }
  return changes;
}

/** Replaces one part with a hostile value. */
function attacksOn(
  { parameters, body }: RequestDescription,
  described: readonly string[],
): fc.Arbitrary<RequestChange>[] {
  const inPath = parameters.filter((parameter) => parameter.in === 'path');
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  const changes: fc.Arbitrary<RequestChange>[] = [
    HOSTILE_HEADERS.map(
      ([name, value]): RequestChange =>
        (request) => ({ ...request, headers: [...request.headers, [name, value]] }),
    ),
    HOSTILE_QUERIES.map(
      (rawQuery): RequestChange =>
        (request) => ({ ...request, rawQuery }),
    ),
    fc.constantFrom(...ODD_METHODS.filter((method) => !described.includes(method))).map(
      (method): RequestChange =>
        (request) => ({ ...request, operation: null, method }),
    ),
    HOSTILE_PATHS.map(
      (path): RequestChange =>
        (request) => ({ ...request, operation: null, path, parameters: {} }),
    ),
    fc.constant<RequestChange>((request) => (request.method === 'GET' ? { ...request, method: 'HEAD' } : request)),
    fc.tuple(HOSTILE_CONTENT_TYPES, HOSTILE_BODIES).map(
      ([type, raw]): RequestChange =>
        (request) => ({ ...request, headers: [...request.headers, ['content-type', type]], body: { raw } }),
    ),
  ];
  for (const { name } of inPath) {
    changes.push(
      HOSTILE_TEXTS.map(
        (text): RequestChange =>
          (request) => ({ ...request, parameters: { ...request.parameters, [name]: text } }),
      ),
    );
  }
  for (const { name } of inQuery) {
    changes.push(
      HOSTILE_TEXTS.map(
        (text): RequestChange =>
          (request) => ({ ...request, query: withValue(request.query, name, text) }),
      ),
    );
  }
  if (body !== null) {
    const fields = Object.keys(body.properties ?? {});
    changes.push(
      HOSTILE_BODIES.map(
        (raw): RequestChange =>
          (request) => ({ ...request, body: { raw } }),
      ),
      HOSTILE_BODIES.map(
        (raw): RequestChange =>
          (request) => ({ ...request, body: { raw } }),
      ),
      HOSTILE_CONTENT_TYPES.map(
        (type): RequestChange =>
          (request) => ({ ...request, headers: [...request.headers, ['content-type', type]] }),
      ),
      fc.tuple(fc.constantFrom(...fields), HOSTILE_TEXTS).map(
        ([field, text]): RequestChange =>
          (request) => ({ ...request, body: { json: { ...(jsonOf(request) as object), [field]: text } } }),
      ),
      fc.tuple(HOSTILE_TEXTS, HOSTILE_TEXTS).map(
        ([name, text]): RequestChange =>
          (request) => ({ ...request, body: { json: { ...(jsonOf(request) as object), metadata: { [name]: text } } } }),
      ),
    );
  }
  return changes;
}

function jsonOf({ body }: FuzzRequest): unknown {
  return body !== null && 'json' in body ? body.json : {};
}

function withValue(query: FuzzRequest['query'], name: string, value: string): FuzzRequest['query'] {
  return [...query.filter(([other]) => other !== name), [name, value]];
}

/** Duplicates the parameter that is present, or adds it twice. */
function twice({ query }: FuzzRequest, name: string): (readonly [string, string])[] {
  const present = query.find(([other]) => other === name);
  return present === undefined
    ? [
        [name, '1'],
        [name, '2'],
      ]
    : [present];
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
