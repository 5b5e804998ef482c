import { fireMeasured } from '../support/load.ts';
import { runRounds } from '../support/rounds.ts';
import { openCreateBench } from './open.ts';

/** One side of `npm run bench:compare -- COMMIT create`. */

const { meter, create, remove } = await openCreateBench();
await runRounds((request) => fireMeasured(meter, create, request));
await remove();
