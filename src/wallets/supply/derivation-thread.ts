import { Worker } from 'node:worker_threads';
import { RetryableError } from '../../platform/errors.ts';
import { type AddressRow, type DerivationRange, deriveRows } from './derived-rows.ts';

/** Derives addresses without blocking the event loop. */
export interface DerivationThread {
  derive(range: DerivationRange): Promise<AddressRow[]>;
  close(): Promise<void>;
}

type DerivationResult = { readonly id: number } & ({ readonly rows: AddressRow[] } | { readonly error: string });

/**
 * A worker thread for derivation, started on first use. Each address costs a curve multiplication
 * of a tenth of a millisecond or more; a hundred of them in the main thread would block all
 * requests. When run from TypeScript sources, as in tests, there is no compiled worker, so it
 * derives in this thread.
 */
export function createDerivationThread(): DerivationThread {
  const waiting = new Map<number, { resolve: (rows: AddressRow[]) => void; reject: (error: Error) => void }>();
  let worker: Worker | null = null;
  let lastId = 0;

  function failAll(error: Error): void {
    worker = null;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  }

  function start(): Worker {
    const started = new Worker(new URL('./derivation-worker.js', import.meta.url));
    started.on('message', (response: DerivationResult) => {
      const requested = waiting.get(response.id);
      waiting.delete(response.id);
      // An idle worker must not keep the process alive.
      if (waiting.size === 0) started.unref();
      if ('rows' in response) requested?.resolve(response.rows);
      else requested?.reject(new Error(response.error));
    });
    started.on('error', failAll);
    started.on('exit', () => failAll(stopped()));
    return started;
  }

  return {
    derive(range) {
      if (!import.meta.url.endsWith('.js')) return Promise.resolve(deriveRows(range));
      worker ??= start();
      worker.ref();
      const id = ++lastId;
      const response = new Promise<AddressRow[]>((resolve, reject) => waiting.set(id, { resolve, reject }));
      worker.postMessage({ id, range });
      return response;
    },
    async close() {
      await worker?.terminate();
    },
  };
}

// Helpers

function stopped(): RetryableError {
  return new RetryableError('DERIVATION_STOPPED', 'The derivation thread has ended; it restarts when needed');
}
