import { Compile } from 'typebox/schema';
import { COMMITTED, disagreement } from '../http/api/openapi-document.ts';
import type { FilledRequest } from './fill-in.ts';
import type { Ledger } from './ledger.ts';
import type { RequestDescription } from './operations.ts';
import type { FuzzRequest } from './requests.ts';
import type { ReceivedAnswer } from './send.ts';
import { SCOPES, type Scope } from './world.ts';

export interface Exchange {
  readonly request: FuzzRequest;
  readonly filled: FilledRequest;
  readonly answer: ReceivedAnswer;
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
  function undeclared({ answer, request }: Exchange, json: unknown): string[] {
    const isRefusal = answer.status >= 400 && answer.status < 500;
    if (!isRefusal) return [`${request.method} ${request.path} is not described, and was answered ${answer.status}`];
    return problemOnly.Check(json) ? [] : ['the refusal is not the error envelope'];
  }

  function declared(operation: RequestDescription, exchange: Exchange, json: unknown): string[] {
    const { answer, request, filled } = exchange;
    const { name, statuses, security } = operation;
    const isSuccess = answer.status < 400;
    const hasNoBody = request.method === 'HEAD' || answer.status === 302;
    if (hasNoBody || isPage(answer)) {
      // HEAD may not start what GET starts, and then answers 404.
      const isDescribed = statuses.includes(answer.status) || (request.method === 'HEAD' && answer.status === 404);
      const isRight = isDescribed && (answer.text === '' || isPage(answer));
      return isRight ? [] : [`${name} is not described to answer ${answer.status} with "${answer.text.slice(0, 80)}"`];
    }
    const wrong = disagreement(name, answer.status, json);
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
    const { answer, request, filled } = exchange;
    // A made-up path can be that of a declared operation.
    const name = `${request.method === 'HEAD' ? 'GET' : request.method} ${request.path}`;
    const operation = byName.get(request.operation ?? name);
    const json = parsed(answer.text);
    const sent = `${filled.sent.target}${String(filled.sent.body)}`;
    const leaks = ledger.leaksIn(`${answer.text} ${JSON.stringify(answer.headers)}`, readersOf(exchange));
    // An error may repeat what the request contained; a page may keep the publishable key it came with.
    const mayRepeat = (word: string) =>
      sent.includes(word) &&
      (answer.status >= 400 ? ledger.ownersOf(word).length > 0 : isPage(answer) && word.startsWith('pk_'));
    return [
      ...(answer.status >= 500 ? [`the service failed with ${answer.status}`] : []),
      ...(operation === undefined ? undeclared(exchange, json) : declared(operation, exchange, json)),
      ...headerProblems(answer),
      ...(MARKUP.some((markup) => isPage(answer) && answer.text.includes(markup)) ? ['a page repeats markup'] : []),
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

function headerProblems({ headers, text }: ReceivedAnswer): string[] {
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

function isPage({ headers }: ReceivedAnswer): boolean {
  return String(headers['content-type']).startsWith('text/html');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
