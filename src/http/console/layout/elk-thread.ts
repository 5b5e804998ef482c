import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import type ElkModule from 'elkjs/lib/elk-api.js';
import type { ELK } from 'elkjs/lib/elk-api.js';

/** With some options ELK never finishes on some graphs; our charts take a few seconds. */
const LIMIT_MS = 60_000;

/**
 * Runs ELK in a worker thread. Layout of one of our charts keeps a core busy for 100 to 700 ms,
 * which would block the event loop. The thread lives only as long as `use` runs: there are few
 * charts, and each is laid out once.
 *
 * @throws Error when the thread dies, for example out of memory, or runs longer than a minute; and
 * what `use` throws.
 */
export async function withElk<Result>(use: (elk: ELK) => Promise<Result>): Promise<Result> {
  const thread = new Worker(PROGRAM, { eval: true, workerData: ELK_WORKER });
  let limit: NodeJS.Timeout | undefined;
  const death = new Promise<never>((_, reject) => {
    limit = setTimeout(() => reject(new Error(`the layout of a chart took more than ${LIMIT_MS} ms`)), LIMIT_MS);
    thread.once('error', reject);
    thread.once('exit', (code) => reject(new Error(`the layout thread exited with code ${code}`)));
  });
  // The thread always exits; without a handler, its exit after `use` would be an unhandled
  // rejection.
  death.catch(() => undefined);
  try {
    return await Promise.race([use(new Elk({ workerFactory: () => asWebWorker(thread) })), death]);
  } finally {
    clearTimeout(limit);
    await thread.terminate();
  }
}

// Helpers

const require = createRequire(import.meta.url);
// `require`, because what an `import` of this package resolves to depends on the runner, Node or a
// test runner.
const { default: Elk } = require('elkjs/lib/elk-api.js') as typeof ElkModule;
const ELK_WORKER = require.resolve('elkjs/lib/elk-worker.min.js');

/**
 * The thread's program, as text: a worker needs a file that Node can run, and this one is
 * TypeScript until it is built. ELK's worker takes a Node module for a browser without threads, and
 * then exports itself as a class.
 */
const PROGRAM = `
const { parentPort, workerData } = require('node:worker_threads');
const elk = new (require(workerData).Worker)();
elk.onmessage = ({ data }) => parentPort.postMessage(data);
parentPort.on('message', (message) => elk.postMessage(message));
`;

/** ELK communicates with a thread through the browser's Worker API. */
function asWebWorker(thread: Worker): WebWorker {
  const worker: WebWorker = {
    onmessage: null,
    postMessage: (message) => thread.postMessage(message),
    terminate: () => undefined,
  };
  thread.on('message', (data: unknown) => worker.onmessage?.({ data }));
  return worker;
}

interface WebWorker {
  onmessage: ((event: { data: unknown }) => void) | null;
  postMessage(message: unknown): void;
  terminate(): void;
}
