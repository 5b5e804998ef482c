import { parentPort } from 'node:worker_threads';
import { messageOf } from '../../platform/errors.ts';
import { prepareDerivations } from '../keys/derive-public-children.ts';
import { type DerivationRange, deriveRows } from './derived-rows.ts';

prepareDerivations();

/** Worker thread: derives the ranges it receives, one after another. See `derivation-thread.ts`. */
parentPort?.on('message', ({ id, range }: { id: number; range: DerivationRange }) => {
  try {
    parentPort?.postMessage({ id, rows: deriveRows(range) });
  } catch (error) {
    parentPort?.postMessage({ id, error: messageOf(error) });
  }
});
