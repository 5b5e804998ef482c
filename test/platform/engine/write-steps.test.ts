import { expect, test } from 'vitest';
import { noConsequences } from '../../../src/platform/engine/consequences.ts';
import { foldStart } from '../../../src/platform/engine/fold.ts';
import { writeSteps } from '../../../src/platform/engine/sql/write-steps.ts';
import { START_MS } from '../../support/clock.ts';
import { recordQueries } from '../../support/database/slow-plans.ts';
import { createPostgresDatabase, describePostgres } from '../../support/database/test-database.ts';
import { newActorId } from '../../support/service/engine.ts';
import { createLedgerKind } from '../../support/service/engine-charts.ts';

describePostgres('the steps of a batch', () => {
  // A statement already sent would be awaited by no one: when it failed, the process would end.
  test('that cannot be stored are refused before any statement is sent', async () => {
    const database = await createPostgresDatabase();
    const { db, queries, close } = recordQueries(database);
    const kind = createLedgerKind();
    const start = { kind: kind.name, actorId: newActorId(), startKey: null, input: {} };
    const { actor, step } = foldStart(kind, start, START_MS);
    const consequences = noConsequences();
    consequences.timers.set('other', { kind: 'park', actorId: newActorId(), name: 'due', setBySequence: 1 });
    const steps = [{ kind, step: { ...step, event: { type: 'book', note: 'a\u0000b' } } }];
    const writing = db
      .transaction()
      .execute((trx) => writeSteps(trx, { actors: new Map([[actor.id, actor]]), steps, consequences }));
    await expect(writing).rejects.toThrow(TypeError);
    expect(queries).toEqual([]);
    await close();
    await database.drop();
  });
});
