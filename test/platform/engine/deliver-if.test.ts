import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { createEngine, createKindRegistry, type Engine, findActorRow } from '../../../src/platform/engine/index.ts';
import { createTestClock } from '../../support/clock.ts';
import { describeDatabases } from '../../support/database/test-database.ts';
import { assertAsyncProperty } from '../../support/run/fast-check.ts';
import { newActorId } from '../../support/service/engine.ts';
import { createLedgerKind, createLedgerTable, POISON } from '../../support/service/engine-charts.ts';
import { silentLog } from '../../support/silent-log.ts';

/** What each event does to the journal and to the ledger. */
const EVENTS = {
  booked: { event: { type: 'book', amount: 1 }, isJournaled: true, isChange: true },
  ignored: { event: { type: 'unknown' }, isJournaled: true, isChange: false },
  failed: { event: { type: 'book', amount: POISON.forChart }, isJournaled: true, isChange: false },
  duplicate: { event: { type: 'book', amount: 1 }, isJournaled: false, isChange: false },
} as const;

const kinds = createKindRegistry([createLedgerKind()]);

describeDatabases('a conditional event', (database) => {
  let engine: Engine;
  beforeAll(async () => {
    await createLedgerTable(database());
    engine = createEngine({ db: database().db, kinds, clock: createTestClock(), log: silentLog });
  });

  const startLedger = async () => {
    const actorId = newActorId();
    await engine.start({ kind: 'ledger', actorId, startKey: null, input: {} });
    await engine.deliver({ actorId, eventId: 'first', event: { type: 'book', amount: 1 } });
    return actorId;
  };
  /** The last change of an actor, archived or not. */
  const stepOf = async (actorId: string) => (await findActorRow(database().db, actorId))?.last_change;
  const bookIf = (actorId: string, expectedSequence: number) =>
    engine.deliverIf({ actorId, eventId: 'mine', event: { type: 'book', amount: 1 }, expectedSequence });

  test('is applied unless a later step has changed the actor, whatever else was journaled since', async () => {
    const names = fc.constantFrom(...(Object.keys(EVENTS) as (keyof typeof EVENTS)[]));
    const histories = fc.array(names, { maxLength: 5 });
    await assertAsyncProperty(
      fc.asyncProperty(histories, fc.nat({ max: 9 }), fc.boolean(), async (history, expected, isOneBatch) => {
        const actorId = await startLedger();
        let [sequence, lastChange] = [2, 2];
        const sent = history.map((name, index) => {
          const { event, isJournaled, isChange } = EVENTS[name];
          if (isJournaled) sequence += 1;
          if (isChange) lastChange = sequence;
          const eventId = name === 'duplicate' ? 'first' : `e:${index}`;
          return () => engine.deliver({ actorId, eventId, event });
        });
        const pending = isOneBatch ? sent.map((send) => send()) : [];
        if (!isOneBatch) for (const send of sent) await send();
        const { outcome } = await bookIf(actorId, expected);
        await Promise.all(pending);
        const isTaken = expected >= lastChange && expected <= sequence;
        expect(outcome).toBe(isTaken ? 'applied' : 'stale');
        expect(await stepOf(actorId)).toBe(isTaken ? sequence + 1 : lastChange);
      }),
      { numRuns: database().kind === 'postgres' ? 60 : 10 },
    );
  });

  test('is applied when only an ignored event followed its step', async () => {
    const actorId = await startLedger();
    const seen = await stepOf(actorId);
    await engine.deliver({ actorId, eventId: 'e-1', event: { type: 'unknown' } });
    expect(await stepOf(actorId)).toBe(seen);
    expect((await bookIf(actorId, seen ?? 0)).outcome).toBe('applied');
  });

  test('is applied once when two refer to the same step', async () => {
    const actorId = await startLedger();
    const both = await Promise.all(
      ['one', 'other'].map((eventId) =>
        engine.deliverIf({ actorId, eventId, event: { type: 'book', amount: 1 }, expectedSequence: 2 }),
      ),
    );
    expect(both.map(({ outcome }) => outcome).sort()).toEqual(['applied', 'stale']);
  });
});
