import { parentPort } from 'node:worker_threads';
import { messageOf } from '../errors.ts';
import { type DerivationRange, deriveRows } from './derived-rows.ts';

/** Runs in a thread of its own: derives the ranges it is sent, one after the other. See `derivation-thread.ts`. */
parentPort?.on('message', ({ id, range }: { id: number; range: DerivationRange }) => {
  try {
    parentPort?.postMessage({ id, rows: deriveRows(range) });
  } catch (error) {
    parentPort?.postMessage({ id, error: messageOf(error) });
  }
});
