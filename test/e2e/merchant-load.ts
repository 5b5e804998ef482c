import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';

/** A busy merchant: creates, reads, lists and simulates payments and opens pages, repeatedly. */
export interface MerchantLoad {
  /** Payments that have completed so far, and requests that were answered. */
  readonly completed: readonly string[];
  readonly responded: number;
  /** Every wrong response and every request without one. Empty when everything worked. */
  readonly failures: readonly string[];
  /** Resolves when each merchant's current payment has ended. */
  stop(): Promise<void>;
}

const MERCHANTS = 2;
const POLL_MS = 50;
/** Pause between two payments of one merchant, to leave CPU time for the others. */
const PAUSE_MS = 100;
/** A payment that takes longer counts as a failure. */
export const COMPLETES_WITHIN_MS = 60_000;

interface View {
  readonly transaction_id: string;
  readonly status: string;
}

/**
 * Reuses connections, as client programs do. Every create is sent twice with one idempotency key.
 */
export function startMerchantLoad(url: string, key: string): MerchantLoad {
  const agent = new Agent({ connections: 2 * MERCHANTS, pipelining: 1 });
  const completed: string[] = [];
  const failures: string[] = [];
  let responded = 0;
  let isStopped = false;

  async function ask(method: 'GET' | 'POST', path: string, body?: object, idempotencyKey?: string): Promise<string> {
    const headers = {
      ...(path.startsWith('/v1/') ? { authorization: `Bearer ${key}` } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(idempotencyKey === undefined ? {} : { 'x-idempotency-key': idempotencyKey }),
    };
    const response = await request(url + path, {
      dispatcher: agent,
      method,
      headers,
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await response.body.text();
    responded += 1;
    if (response.statusCode >= 300) throw new Error(`${method} ${path} was answered ${response.statusCode}: ${text}`);
    return text;
  }

  async function view(...requested: Parameters<typeof ask>): Promise<View> {
    return (JSON.parse(await ask(...requested)) as { readonly data: View }).data;
  }

  async function payOnce(): Promise<void> {
    const create = ['POST', '/v1/transactions/create', { crypto: 'LTC', amount: 25 }, randomUUID()] as const;
    const { transaction_id: id } = await view(...create);
    const again = await view(...create);
    if (again.transaction_id !== id) throw new Error(`one idempotency key made ${id} and ${again.transaction_id}`);
    await ask('GET', `/transaction/${id}`);
    await ask('GET', '/v1/transactions/list?limit=10');
    await view('POST', `/v1/transactions/${id}/simulate`, { action: 'pay' });
    await view('POST', `/v1/transactions/${id}/simulate`, { action: 'confirm' });
    const giveUpAt = performance.now() + COMPLETES_WITHIN_MS;
    for (let status = ''; status !== 'completed'; await sleep(POLL_MS)) {
      status = (await view('GET', `/v1/transactions/${id}`)).status;
      if (performance.now() > giveUpAt) throw new Error(`${id} did not complete: it is ${status}`);
    }
    completed.push(id);
  }

  const merchants = Array.from({ length: MERCHANTS }, async () => {
    while (!isStopped) {
      await payOnce().catch((error: unknown) => failures.push(String(error)));
      await sleep(PAUSE_MS);
    }
  });

  return {
    completed,
    failures,
    get responded() {
      return responded;
    },
    async stop() {
      if (isStopped) return;
      isStopped = true;
      await Promise.all(merchants);
      await agent.close();
    },
  };
}
