import { Worker } from 'node:worker_threads';
import { RetryableError } from '../errors.ts';
import { type AddressRow, type DerivationRange, deriveRows } from './derived-rows.ts';

/** Derives addresses without making requests wait for elliptic curves. */
export interface DerivationThread {
  derive(range: DerivationRange): Promise<AddressRow[]>;
  close(): Promise<void>;
}

type Answer = { readonly id: number } & ({ readonly rows: AddressRow[] } | { readonly error: string });

/**
 * A thread for derivation, started when it is first needed. One address costs a multiplication on the curve, a third of a
 * millisecond and more; a hundred of them in the thread that answers requests would stop all of those. Run from
 * TypeScript sources, as tests are, there is no compiled worker to start: the work is then done where it is asked for.
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
    started.on('message', (answer: Answer) => {
      const asked = waiting.get(answer.id);
      waiting.delete(answer.id);
      // Waiting for work must not keep the process alive.
      if (waiting.size === 0) started.unref();
      if ('rows' in answer) asked?.resolve(answer.rows);
      else asked?.reject(new Error(answer.error));
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
      const answer = new Promise<AddressRow[]>((resolve, reject) => waiting.set(id, { resolve, reject }));
      worker.postMessage({ id, range });
      return answer;
    },
    async close() {
      await worker?.terminate();
    },
  };
}

// Helpers

function stopped(): RetryableError {
  return new RetryableError(
    'DERIVATION_STOPPED',
    'The thread that derives addresses has ended; it starts again when needed',
  );
}
