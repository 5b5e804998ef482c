import { describe, expect, it } from 'vitest';
import { CHART_VERSIONS } from '../../../machines/index.ts';
import { fold, folderOf, goldensOf, readGolden, unregisteredFolders } from '../../../scripts/goldens/golden.ts';
import { fingerprintsOf, readReleased } from '../../../scripts/release/released.ts';
import { createTransactionKind } from '../../../src/payments/index.ts';
import { createKindRegistry } from '../../../src/platform/engine/index.ts';

const RELEASED = readReleased();

/**
 * Recorded histories must always end the same. A chart may change only if all of these still fold
 * to their recorded result; a change that is meant to alter past results needs a new version of the
 * chart.
 *
 * `npm run goldens` records histories without a file. For a chart that was never deployed, delete
 * the file first.
 */
const JOURNALS = CHART_VERSIONS.flatMap((machine) =>
  goldensOf(machine).map((name) => ({ machine, name, chart: folderOf(machine) })),
);

describe('golden journals', () => {
  it.each(CHART_VERSIONS.map((machine) => ({ machine, chart: folderOf(machine) })))(
    'of $chart exist',
    ({ machine }) => {
      expect(goldensOf(machine).length).toBeGreaterThanOrEqual(4);
    },
  );

  it('belong to current charts', () => {
    expect(unregisteredFolders()).toEqual([]);
  });

  it.each(JOURNALS)(
    'of $chart: $name still replays to its recorded end, with the same effects',
    ({ machine, name }) => {
      const golden = readGolden(machine, name);
      expect([golden.machine, golden.version]).toEqual([machine.id, machine.version]);
      expect(fold(machine, golden)).toEqual({ effects: golden.effects, end: golden.end });
    },
  );

  it('of released versions equal those of their release', () => {
    const present = fingerprintsOf('goldens');
    const kept = new Set(CHART_VERSIONS.map(folderOf));
    for (const [path, fingerprint] of Object.entries(RELEASED.goldens)) {
      // Goldens of a removed version were removed with it.
      if (kept.has(path.split('/').slice(0, 2).join('/'))) expect(present[path], path).toBe(fingerprint);
    }
  });
});

describe('the current charts', () => {
  it('are identified by id and version, each once, and versions are whole numbers', () => {
    const names = CHART_VERSIONS.map(folderOf);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-z]+\/[1-9]\d*$/);
  });

  it('include every released version that was not retired', () => {
    const [payment] = createKindRegistry([createTransactionKind({ publicUrl: 'https://pay.example.com' })]).list();
    expect(CHART_VERSIONS.findLast(({ id }) => id === payment?.name)?.version).toBe(payment?.version);
  });
});
