import { setTimeout as sleep } from 'node:timers/promises';
import type { TransactionView } from '../../../src/payments/index.ts';
import type { Deadline } from '../deadline.ts';
import type { Random } from '../random.ts';

/** The merchant's program: calls any API process and retries until it gets a response. */
export interface MerchantClient {
  /**
   * Creates a payment with an idempotency key, sometimes in two concurrent requests. Records every
   * returned id under its key.
   */
  create(request: CreateRequest): Promise<TransactionView>;
  get(key: string, id: string): Promise<TransactionView>;
  /** At most 100 ids. */
  list(key: string, ids: readonly string[]): Promise<TransactionView[]>;
  /**
   * Acts on the simulated network. Returns whether it happened; null when the response was lost.
   */
  simulate(key: string, id: string, body: Readonly<Record<string, unknown>>): Promise<'done' | 'refused' | null>;
  /** Transaction ids returned for each idempotency key; more than one is a violation. */
  readonly responses: ReadonlyMap<string, ReadonlySet<string>>;
  /** Number of requests, and how many of them got no response or one that asked for a retry. */
  readonly counts: { readonly requests: number; readonly retried: number };
}

export interface CreateRequest {
  readonly key: string;
  readonly idempotencyKey: string;
  readonly body: Readonly<Record<string, unknown>>;
}

interface ResponseBody {
  readonly status: number;
  readonly body: { readonly data?: unknown };
}

const REQUEST_TIMEOUT_MS = 10_000;
const RETRY_MS = 150;
const TWIN_PROBABILITY = 0.1;

export function createMerchantClient(deps: {
  urls: readonly string[];
  random: Random;
  deadline: Deadline;
}): MerchantClient {
  const { urls, random, deadline } = deps;
  const responses = new Map<string, Set<string>>();
  const counts = { requests: 0, retried: 0 };

  /** Null when there was no response. */
  async function ask(method: string, path: string, options: RequestOptions): Promise<ResponseBody | null> {
    counts.requests += 1;
    try {
      const response = await fetch(`${random.pick(urls)}/v1${path}`, {
        method,
        headers: {
          authorization: `Bearer ${options.key}`,
          ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(options.idempotencyKey === undefined ? {} : { 'x-idempotency-key': options.idempotencyKey }),
        },
        ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
        signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
      });
      return { status: response.status, body: (await response.json()) as ResponseBody['body'] };
    } catch {
      return null;
    }
  }

  /** Repeats an idempotent request until it is answered with this status. */
  async function insist<T>(status: number, method: string, path: string, options: RequestOptions): Promise<T> {
    let last = 'no response';
    return deadline.until(
      async () => {
        const answer = await ask(method, path, options);
        if (answer?.status === status) return answer.body.data as T;
        last = answer === null ? 'no response' : `${answer.status} ${JSON.stringify(answer.body)}`;
        // Repeating a rejected request does not help.
        if (answer !== null && answer.status < 500 && answer.status !== 429) {
          throw new Error(`${method} ${path} was refused: ${last}`);
        }
        counts.retried += 1;
        await sleep(RETRY_MS);
        return null;
      },
      () => `${method} ${path}: ${last}`,
    );
  }

  return {
    responses,
    counts,
    async create({ key, idempotencyKey, body }) {
      const once = () => insist<TransactionView>(201, 'POST', '/transactions/create', { key, body, idempotencyKey });
      const twins = random.chance(TWIN_PROBABILITY) ? [once(), once()] : [once()];
      const created = await Promise.all(twins);
      const ids = responses.get(idempotencyKey) ?? new Set();
      responses.set(idempotencyKey, ids);
      for (const { transaction_id: id } of created) ids.add(id);
      const [first] = created;
      if (first === undefined) throw new Error('nothing was created');
      return first;
    },
    get: (key, id) => insist(200, 'GET', `/transactions/${id}`, { key }),
    async list(key, ids) {
      const path = `/transactions/list?limit=100&ids=${ids.join(',')}`;
      return (await insist<{ transactions: TransactionView[] }>(200, 'GET', path, { key })).transactions;
    },
    async simulate(key, id, body) {
      const answer = await ask('POST', `/transactions/${id}/simulate`, { key, body });
      if (answer === null || answer.status >= 500) {
        counts.retried += 1;
        await sleep(RETRY_MS);
        return null;
      }
      return answer.status === 200 ? 'done' : 'refused';
    },
  };
}

// Helpers

interface RequestOptions {
  readonly key: string;
  readonly body?: unknown;
  readonly idempotencyKey?: string;
}
