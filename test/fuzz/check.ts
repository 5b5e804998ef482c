import { Compile } from 'typebox/schema';
import { COMMITTED, disagreement } from '../http/api/document/openapi-document.ts';
import type { FilledRequest } from './fill-in.ts';
import { SCOPES, type Scope } from './fixtures.ts';
import type { Ledger } from './ledger.ts';
import type { RequestDescription } from './operations.ts';
import type { FuzzRequest } from './requests.ts';
import type { ReceivedResponse } from './send.ts';

export interface Exchange {
  readonly request: FuzzRequest;
  readonly filled: FilledRequest;
  readonly response: ReceivedResponse;
}

/** Returns a function that describes all problems of a response; empty when there are none. */
export function createCheck(
  operations: readonly RequestDescription[],
  ledger: Ledger,
): (exchange: Exchange) => string[] {
  const byName = new Map(operations.map((operation) => [operation.name, operation]));
  const problemOnly = Compile({ $ref: '#/components/schemas/ErrorEnvelope', components: COMMITTED.components });
  const bodies = new Map(
    operations.flatMap(({ name, body }) => (body === null ? [] : [[name, Compile({ ...body })] as const])),
  );

  /** A request to an undeclared operation must be rejected with the error envelope. */
  function undeclared({ response, request }: Exchange, json: unknown): string[] {
    const isRejection = response.status >= 400 && response.status < 500;
    if (!isRejection)
      return [`${request.method} ${request.path} is not described, and was answered ${response.status}`];
    return problemOnly.Check(json) ? [] : ['the refusal is not the error envelope'];
  }

  function declared(operation: RequestDescription, exchange: Exchange, json: unknown): string[] {
    const { response, request, filled } = exchange;
    const { name, statuses, security } = operation;
    const isSuccess = response.status < 400;
    const hasNoBody = request.method === 'HEAD' || response.status === 302;
    if (hasNoBody || isPage(response)) {
      // HEAD may not start what GET starts, and then answers 404.
      const isDescribed = statuses.includes(response.status) || (request.method === 'HEAD' && response.status === 404);
      const isRight = isDescribed && (response.text === '' || isPage(response));
      return isRight
        ? []
        : [`${name} is not described to answer ${response.status} with "${response.text.slice(0, 80)}"`];
    }
    const wrong = disagreement(name, response.status, json);
    const mayNot = isSuccess && security === 'secretKey' && filled.reader === null;
    return [
      ...(wrong === null ? [] : [wrong]),
      ...(mayNot ? ['it was let in without a key that works'] : []),
      ...(isSuccess && !isDescribedBody(name, filled.sent.body) ? ['a body was taken that its schema forbids'] : []),
    ];
  }

  function isDescribedBody(name: string, body: string | Uint8Array | null): boolean {
    const validator = bodies.get(name);
    // RFC 8259, 8.1 lets parsers ignore a byte order mark, and the service does.
    return validator === undefined || validator.Check(parsed(String(body).replace(/^\uFEFF/, '')));
  }

  return (exchange) => {
    const { response, request, filled } = exchange;
    // A made-up path can be that of a declared operation.
    const name = `${request.method === 'HEAD' ? 'GET' : request.method} ${request.path}`;
    const operation = byName.get(request.operation ?? name);
    const json = parsed(response.text);
    const sent = `${filled.sent.target}${String(filled.sent.body)}`;
    const leaks = ledger.leaksIn(`${response.text} ${JSON.stringify(response.headers)}`, readersOf(exchange));
    // An error may repeat what the request contained; a page may keep the publishable key it came
    // with.
    const mayRepeat = (word: string) =>
      sent.includes(word) &&
      (response.status >= 400 ? ledger.ownersOf(word).length > 0 : isPage(response) && word.startsWith('pk_'));
    return [
      ...(response.status >= 500 ? [`the service failed with ${response.status}`] : []),
      ...(operation === undefined ? undeclared(exchange, json) : declared(operation, exchange, json)),
      ...headerProblems(response),
      ...(MARKUP.some((markup) => isPage(response) && response.text.includes(markup)) ? ['a page repeats markup'] : []),
      ...leaks
        .filter((word) => !mayRepeat(word))
        .map(
          (word) =>
            `it reveals to ${filled.reader} "${word}", which is of ${ledger.ownersOf(word).join(' and ') || 'nobody'}`,
        ),
    ];
  };
}

// Helpers

/** With a live key the webhook log shows both modes, because endpoints receive both. */
function readersOf({ request, filled: { reader } }: Exchange): Scope[] {
  if (reader === null) return [];
  const isLog = /^\/webhooks\/.*\bdeliveries\b/.test(request.path);
  return isLog ? SCOPES.filter((scope) => scope.split('.')[0] === reader.split('.')[0]) : [reader];
}

const MARKUP = ['<script>alert', '<img src=x'];

function headerProblems({ headers, text }: ReceivedResponse): string[] {
  const expected: readonly (readonly [string, RegExp])[] = [
    ['x-request-id', /^req_[0-9a-z]{26}$/],
    ['x-ratelimit-limit', /^\d+$/],
    ['x-ratelimit-remaining', /^\d+$/],
    ['x-ratelimit-reset', /^\d+$/],
    ...(text === '' ? [] : [['content-type', /^(?:application\/json|text\/html)\b/] as const]),
  ];
  return expected
    .filter(([name, pattern]) => !pattern.test(String(headers[name])))
    .map(([name]) => `its header ${name} is ${String(headers[name])}`);
}

function isPage({ headers }: ReceivedResponse): boolean {
  return String(headers['content-type']).startsWith('text/html');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
