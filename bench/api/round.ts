import { fireMeasured } from '../support/load.ts';
import { runRounds } from '../support/rounds.ts';
import { createFilledInstallation } from './targets.ts';

/** One side of `npm run bench:compare -- COMMIT api`: lists of a hundred payments. */

const ROWS = 10_000;

const { meter, list, remove } = await createFilledInstallation(ROWS);
await runRounds((request) => fireMeasured(meter, list, request));
await remove();
