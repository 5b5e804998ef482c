import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { resolveDeadLetter } from '../../src/operations/dead-letters/resolve-dead-letter.ts';
import { createDeadLetterWorker, getActor, listDeadLetters } from '../../src/operations/index.ts';
import {
  type ActorEvent,
  type Engine,
  insertDeadLetters,
  MAX_DEAD_LETTER_RETRIES,
} from '../../src/platform/engine/index.ts';
import { describeDatabases } from '../support/database/test-database.ts';
import { POLLING } from '../support/polling.ts';
import { silentLog } from '../support/silent-log.ts';
import { createInstallation, type Installation, newRequestId, OPERATOR } from './installation.ts';

describeDatabases('dead letters', (database) => {
  test('a retried message is published again under another id, once per request', async () => {
    const all = createInstallation(database());
    const data = { webhookEventId: 'evt_1' };
    const id = await bury(all, { queue: 'webhook-send', messageId: 'm:1', data });
    const request = { what: 'retry', reason: 'repaired', requestId: newRequestId() } as const;
    expect(await resolveDeadLetter(all, OPERATOR, id, request)).toEqual({ outcome: 'settled' });
    expect(await resolveDeadLetter(all, OPERATOR, id, request)).toEqual({ outcome: 'settled' });
    expect(all.published).toEqual([{ queue: 'webhook-send', id: `m:1:again:${all.clock.now()}`, data }]);
    expect(await openIds(all)).not.toContain(id);
    const late = { ...request, requestId: newRequestId() };
    await expect(resolveDeadLetter(all, OPERATOR, id, late)).rejects.toMatchObject({ code: 'DEAD_LETTER_NOT_FOUND' });
  });

  test('an event is sent to its actor under its original id, and counts once', async () => {
    const all = createInstallation(database());
    const actorId = await all.startSchedule();
    const command = { actorId, eventId: 'customer.confirmed', event: { type: 'customer.confirmed' } };
    const id = await bury(all, { queue: 'engine', messageId: `${actorId}:x`, data: command });
    await resolveDeadLetter(all, OPERATOR, id, { what: 'retry', reason: 'repaired', requestId: newRequestId() });
    expect(await getActor(all, actorId)).toMatchObject({ state: 'active.awaiting', steps: 2 });
    expect(await all.engine.deliver(command)).toMatchObject({ outcome: 'duplicate' });
  });

  test('an event that violates the chart again stays a dead letter', async () => {
    const all = createInstallation(database());
    const actorId = await all.startTransaction();
    const poison = {
      type: 'chain.output_seen',
      outputId: 'a:0',
      amountBaseUnits: 'no number',
      order: 1,
      firstSeenAt: 1,
    };
    expect(await all.engine.deliver({ actorId, eventId: 'chain:a:0:1', event: poison })).toMatchObject({
      outcome: 'failed',
    });
    const { deadLetters, total } = await listDeadLetters(all.db, { cursor: null, limit: 200, actorId });
    const [letter] = deadLetters;
    expect({ letter, total }).toMatchObject({ letter: { actorId, retries: 0, retryAt: null }, total: 1 });
    const retry = { what: 'retry', reason: 'hope', requestId: newRequestId() } as const;
    expect(await resolveDeadLetter(all, OPERATOR, letter?.id ?? '', retry)).toEqual({ outcome: 'failed' });
    expect(await openIds(all)).toContain(letter?.id);
    expect(await getActor(all, actorId)).toMatchObject({ deadLetters: 1, steps: 3, state: 'open.awaitingPayment' });
    const dismiss = { what: 'dismiss', reason: 'a mistake of a test', requestId: newRequestId() } as const;
    await resolveDeadLetter(all, OPERATOR, letter?.id ?? '', dismiss);
    expect(await openIds(all)).not.toContain(letter?.id);
  });

  test('a dead letter caused by a server error is retried automatically, with growing pauses and a limit', async () => {
    const all = createInstallation(database());
    const [sound, broken, patient] = [await all.startSchedule(), await all.startSchedule(), await all.startSchedule()];
    const letterFor = async (actorId: string, event: ActorEvent, isTransient: boolean) => {
      const data = { actorId, eventId: 'e-1', event };
      const letter = { queue: 'engine', messageId: `${actorId}:e-1`, actorId, data, reason: 'XX000', isTransient };
      await insertDeadLetters(all.db, [letter]);
      return letter;
    };
    await letterFor(sound, { type: 'customer.confirmed' }, true);
    const letter = await letterFor(broken, { type: 'customer.confirmed' }, true);
    await letterFor(patient, { type: 'customer.confirmed' }, false);
    const { deadLetters } = await listDeadLetters(all.db, { cursor: null, limit: 1, actorId: broken });
    expect(deadLetters).toMatchObject([{ retries: 0, retryAt: expect.any(Number) }]);
    /** An engine that keeps failing for one of them. */
    const engine: Pick<Engine, 'deliver'> = {
      async deliver(command) {
        if (command.actorId !== broken) return all.engine.deliver(command);
        await insertDeadLetters(all.db, [letter]);
        return { outcome: 'failed', state: null };
      },
    };
    const rowOf = (actorId: string) =>
      all.db
        .selectFrom('dead_letter')
        .select(['retries', 'retry_at', 'resolved_at'])
        .where('actor_id', '=', actorId)
        .executeTakeFirstOrThrow();
    const worker = createDeadLetterWorker({ ...all, engine, log: silentLog, pollEveryMs: 10 });
    worker.start();
    try {
      await expect
        .poll(async () => {
          await sql`
            update dead_letter set retry_at = retry_at - interval '1 day' where actor_id in (${sound}, ${broken})`.execute(
            all.db,
          );
          return rowOf(broken);
        }, POLLING)
        .toMatchObject({ retries: MAX_DEAD_LETTER_RETRIES, retry_at: null });
    } finally {
      await worker.stop();
    }
    expect(await rowOf(sound)).toMatchObject({ retries: 1, resolved_at: expect.any(Number) });
    expect(await getActor(all, sound)).toMatchObject({ state: 'active.awaiting', steps: 2 });
    expect(await rowOf(broken)).toMatchObject({ resolved_at: null });
    expect(await rowOf(patient)).toMatchObject({ retries: 0, retry_at: null, resolved_at: null });
  });

  test('dead letters are listed oldest first, in pages', async () => {
    const all = createInstallation(database());
    const before = await openIds(all);
    const ids = [];
    for (let index = 0; index < 5; index += 1)
      ids.push(await bury(all, { queue: 'q', messageId: `page:${index}:${newRequestId()}`, data: null }));
    expect(await openIds(all, 2)).toEqual([...before, ...ids]);
    const ofNone = await listDeadLetters(all.db, { cursor: null, limit: 2, actorId: 'txn_none' });
    expect(ofNone).toEqual({ deadLetters: [], total: 0, cursor: null });
    await expect(listDeadLetters(all.db, { cursor: 'x', limit: 2 })).rejects.toMatchObject({ code: 'INVALID_CURSOR' });
  });
});

async function bury(
  { db }: Installation,
  letter: { queue: string; messageId: string; data: unknown },
): Promise<string> {
  await insertDeadLetters(db, [{ ...letter, actorId: null, reason: 'it failed' }]);
  const { id } = await db
    .selectFrom('dead_letter')
    .select('id')
    .where('message_id', '=', letter.messageId)
    .executeTakeFirstOrThrow();
  return String(id);
}

async function openIds({ db }: Installation, limit = 200): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const page = await listDeadLetters(db, { cursor, limit });
    ids.push(...page.deadLetters.map(({ id }) => id));
    if (page.cursor === null) expect(page.total).toBe(ids.length);
    cursor = page.cursor;
  } while (cursor !== null);
  return ids;
}
