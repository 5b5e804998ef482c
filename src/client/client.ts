import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { type ListQuery, listPages, type TransactionList } from './list.ts';
import { OPERATIONS, type OperationDescription, type Operations, type Transaction } from './operations.ts';
import { type RetryTerms, withRetries } from './retry.ts';
import { type Fetch, send } from './send.ts';

export interface ClientOptions {
  /** Base URL of the API including `/v1`: `https://pay.example.com/v1`. */
  readonly baseUrl: string;
  /** A secret key, `sk_live_...` or `sk_test_...`. Use it on your server only. */
  readonly apiKey: string;
  /** Timeout of each attempt, in ms. Default 10,000. */
  readonly timeoutMs?: number;
  /** Retries after the first attempt, for requests that are safe to repeat. Default 3. */
  readonly maxRetries?: number;
  /**
   * Longest delay before a retry, in ms; when the service asks for a longer one, its error is
   * thrown immediately. Default 30,000.
   */
  readonly maxWaitMs?: number;
  /** Replaces the global `fetch`, e.g. to use a proxy. */
  readonly fetch?: Fetch;
  /** For tests: how to wait between retries, and the source of jitter in [0, 1). */
  readonly sleep?: RetryTerms['sleep'];
  readonly random?: RetryTerms['random'];
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

export interface CreateOptions extends CallOptions {
  /**
   * Best your order number: then even a restarted process cannot create a second payment for it. If
   * omitted, every call gets a random key, which protects only the retries of that call.
   */
  readonly idempotencyKey?: string;
  /** The customer's IP address, sent as `X-Customer-IP`: each may have one open payment. */
  readonly customerIp?: string;
}

export type OperationId = keyof Operations;
/** The input of an operation, with its call options. */
export type InputOf<Id extends OperationId> = Omit<Operations[Id], 'data'> &
  CallOptions &
  Pick<CreateOptions, 'idempotencyKey'>;

/** Every operation of the API by its operationId. */
export type Api = {
  readonly [Id in OperationId]: (
    ...input: Record<never, never> extends InputOf<Id> ? [input?: InputOf<Id>] : [input: InputOf<Id>]
  ) => Promise<Operations[Id]['data']>;
};

export interface Client {
  create(body: Operations['createTransaction']['body'], options?: CreateOptions): Promise<Transaction>;
  createDetailed(body: Operations['createDetailedTransaction']['body'], options?: CreateOptions): Promise<Transaction>;
  get(transactionId: string, options?: CallOptions): Promise<Transaction>;
  /**
   * All matching payments, newest first, fetched page by page while you iterate; or by page with
   * `.pages()`.
   */
  list(query?: ListQuery, options?: CallOptions): TransactionList;
  readonly api: Api;
}

/** Creates a client for one service and one key. Sends nothing before the first call. */
export function createClient(options: ClientOptions): Client {
  const { apiKey, timeoutMs = 10_000, maxRetries = 3, maxWaitMs = 30_000, fetch = globalThis.fetch } = options;
  const { random = Math.random, sleep = pause } = options;
  const terms = { maxRetries, maxWaitMs, random, sleep };
  const root = rootOf(options.baseUrl);

  async function call(operation: OperationDescription, input: AnyInput = {}): Promise<unknown> {
    const { method, path, takesIdempotencyKey } = operation;
    const { signal = null, body } = input;
    const key = takesIdempotencyKey ? (input.idempotencyKey ?? randomUUID()) : null;
    const outgoing = {
      method,
      url: root + fill(path, input.params) + queryOf(input.query),
      headers: {
        ...input.headers,
        accept: 'application/json',
        authorization: `Bearer ${apiKey}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key === null ? {} : { 'x-idempotency-key': key }),
      },
      body: body === undefined ? null : JSON.stringify(body),
      timeoutMs: input.timeoutMs ?? timeoutMs,
      signal,
    };
    const isRepeatable = method === 'GET' || key !== null;
    return opened(await withRetries(() => send(fetch, outgoing), { isRepeatable, signal }, terms));
  }

  const calls = Object.entries(OPERATIONS).map(
    ([id, operation]) => [id, (input?: AnyInput) => call(operation, input)] as const,
  );
  // One function per row of the generated table. The response types are those the service
  // documents; they are not validated.
  const api = Object.fromEntries(calls) as unknown as Api;

  return {
    create: (body, { customerIp, ...more } = {}) => api.createTransaction({ body, ...headersFor(customerIp), ...more }),
    createDetailed: (body, { customerIp, ...more } = {}) =>
      api.createDetailedTransaction({ body, ...headersFor(customerIp), ...more }),
    get: (transactionId, more) => api.getTransaction({ params: { transaction_id: transactionId }, ...more }),
    list: (query = {}, more = {}) => listPages(query, (page) => api.listTransactions({ query: page, ...more })),
    api,
  };
}

// Helpers

type Values = Readonly<Record<string, string | number | boolean | undefined>>;

/** Every field of any operation. */
interface AnyInput extends CallOptions {
  readonly params?: Values;
  readonly query?: Values;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly idempotencyKey?: string;
}

function rootOf(baseUrl: string): string {
  if (!/^https?:\/\/[^/?#]/i.test(baseUrl)) throw new TypeError('baseUrl must begin with https:// or http://');
  return baseUrl.replace(/\/+$/, '');
}

function fill(path: string, params: Values = {}): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(params[name] ?? '');
    // An empty value or dots would address a different path.
    if (value === '' || value === '.' || value === '..') throw new TypeError(`${name} is required`);
    return encodeURIComponent(value);
  });
}

function queryOf(query: Values = {}): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) given.set(name, String(value));
  return given.size === 0 ? '' : `?${given.toString()}`;
}

function headersFor(customerIp: string | undefined) {
  return customerIp === undefined ? {} : { headers: { 'X-Customer-IP': customerIp } };
}

function opened(response: unknown): unknown {
  const isEnvelope = typeof response === 'object' && response !== null && 'success' in response && 'data' in response;
  return isEnvelope ? response.data : response;
}

async function pause(ms: number, signal: AbortSignal | null): Promise<void> {
  try {
    await wait(ms, undefined, signal === null ? {} : { signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}
