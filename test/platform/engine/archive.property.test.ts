import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DAY_MS } from '../../../machines/index.ts';
import {
  archiveDone,
  createEngine,
  createKindRegistry,
  findRestingActor,
  readJournal,
  replay,
} from '../../../src/platform/engine/index.ts';
import { createTestClock, type TestClock } from '../../support/clock.ts';
import { createPostgresDatabase, describePostgres } from '../../support/database/test-database.ts';
import { assertAsyncProperty } from '../../support/run/fast-check.ts';
import { level } from '../../support/run/level.ts';
import { newActorId } from '../../support/service/engine.ts';
import { createLedgerKind, createLedgerTable } from '../../support/service/engine-charts.ts';
import { silentLog } from '../../support/silent-log.ts';

const AFTER_MS = 35 * DAY_MS;
const ACTORS = 3;

/** Events for one of a few actors. Event ids repeat, as in production. */
const actionArbitrary = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constant('start' as const), actor: fc.nat(ACTORS - 1) }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('book' as const), actor: fc.nat(ACTORS - 1), eventId: fc.nat(3) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('close' as const), actor: fc.nat(ACTORS - 1) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait' as const), days: fc.integer({ min: 1, max: 60 }) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('archive' as const) }) },
);
type Action = typeof actionArbitrary extends fc.Arbitrary<infer T> ? T : never;

describePostgres('archiving at random times', () => {
  test('changes no response', async () => {
    const database = await createPostgresDatabase();
    const { db } = database;
    await createLedgerTable(database);
    const kinds = createKindRegistry([createLedgerKind()]);

    /** A separate set of actors in the same database, with or without archiving. */
    function createHarness(clock: TestClock, archives: boolean) {
      const engine = createEngine({ db, kinds, clock, log: silentLog });
      const ids = Array.from({ length: ACTORS }, newActorId);
      const key = newActorId();
      const idOf = (actor: number) => ids[actor] ?? '';
      const nameOf = (id: string) => ids.indexOf(id);
      async function act(action: Action): Promise<unknown> {
        switch (action.do) {
          case 'start': {
            // With the same key as before but another id: the first actor is found.
            const actorId = idOf(action.actor);
            const startKey = `${key}:${action.actor}`;
            const again = await engine.start({ kind: 'ledger', actorId, startKey, input: {} });
            const twin = await engine.start({ kind: 'ledger', actorId: newActorId(), startKey, input: {} });
            return [again.outcome, nameOf(again.actorId), twin.outcome, nameOf(twin.actorId)];
          }
          case 'book': {
            const [actorId, eventId] = [idOf(action.actor), `e-${action.eventId}`];
            return plain(await engine.deliver({ actorId, eventId, event: { type: 'book', amount: 1 } }));
          }
          case 'close':
            return plain(
              await engine.deliver({ actorId: idOf(action.actor), eventId: 'close', event: { type: 'close' } }),
            );
          case 'wait':
            return null;
          case 'archive': {
            const leaves = [{ kind: 'ledger', state: 'closed' }];
            if (archives)
              await archiveDone(
                { db, kinds, clock },
                { leaves, before: clock.now() - AFTER_MS, limit: 99, except: [] },
              );
            return null;
          }
        }
      }
      return {
        act,
        /**
         * The state of each actor. Events after its end are journaled only until it is archived.
         */
        readAll: () =>
          Promise.all(
            ids.map(async (id) => {
              const resting = await findRestingActor(db, kinds, id);
              const journal = (await readJournal(db, id)).filter(({ outcome }) => outcome !== 'ignored');
              const folded = await replay(db, kinds, id);
              const { state, status, context, createdAt } = resting ?? {};
              return { state, status, context, createdAt, journal, isSound: folded?.equal ?? null };
            }),
          ),
      };
    }

    try {
      await assertAsyncProperty(
        fc.asyncProperty(fc.array(actionArbitrary, { minLength: 5, maxLength: 30 }), async (actions) => {
          const clock = createTestClock();
          const [one, other] = [createHarness(clock, true), createHarness(clock, false)];
          for (const action of actions) {
            if (action.do === 'wait') clock.advance(action.days * DAY_MS);
            expect(await one.act(action)).toEqual(await other.act(action));
          }
          expect(await one.readAll()).toEqual(await other.readAll());
        }),
        { numRuns: level.runs(25) },
      );
    } finally {
      await database.drop();
    }
  });
});

// Helpers

/**
 * A duplicate can be distinguished from other late events only while the journal is not archived.
 */
function plain({ outcome, state }: { readonly outcome: string; readonly state: string | null }): unknown {
  return { outcome: outcome === 'duplicate' && state === 'closed' ? 'ignored' : outcome, state };
}
