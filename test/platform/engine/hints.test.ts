import { beforeAll, expect, test, vi } from 'vitest';
import {
  type ActorKind,
  createEngine,
  createKindRegistry,
  createRelay,
  type OutgoingMessage,
  type Step,
} from '../../../src/platform/engine/index.ts';
import { MAX_HINTS_AT_ONCE } from '../../../src/platform/engine/relay.ts';
import { newId } from '../../../src/platform/ids.ts';
import { runInNewContext } from '../../../src/platform/request-context.ts';
import { createTestClock } from '../../support/clock.ts';
import { describeBothDatabases } from '../../support/database/test-database.ts';
import { POLLING } from '../../support/polling.ts';
import { newActorId } from '../../support/service/engine.ts';
import { createLedgerKind, createLedgerTable, POISON } from '../../support/service/engine-charts.ts';
import { silentLog } from '../../support/silent-log.ts';

describeBothDatabases('hints of a projection', (database) => {
  beforeAll(() => createLedgerTable(database()));

  function start() {
    const published: OutgoingMessage[] = [];
    const { db } = database();
    const bus = {
      publish: async (message: OutgoingMessage) => void published.push(message),
      subscribe: () => Promise.reject(new Error('not used')),
      isHealthy: async () => true,
      waiting: async () => null,
      close: async () => {},
    };
    const relay = createRelay({ db, bus, log: silentLog });
    const ledger = createLedgerKind();
    const hinting: ActorKind = {
      ...ledger,
      async project(trx, steps: readonly Step<never>[]) {
        await ledger.project?.(trx, steps);
        return steps.map(({ actorId, eventId }) => {
          const id = `${actorId}:${eventId}:hint`;
          return { id, queue: 'hints', partition: 0, data: null, isHint: true, actorId };
        });
      },
    };
    const engine = createEngine({
      db,
      kinds: createKindRegistry([hinting]),
      clock: createTestClock(),
      log: silentLog,
      onCommitted: (messages) => relay.publish(messages),
    });
    const hints = () => published.filter(({ queue }) => queue === 'hints');
    return { engine, relay, hints };
  }

  test('are published after the commit, each in the context of its request, and are not in the outbox', async () => {
    const { engine, relay, hints } = start();
    const callers = [1, 2, 3].map(() => ({ requestId: newId('req'), actorId: newActorId() }));
    await Promise.all(
      callers.map(({ requestId, actorId }) =>
        runInNewContext({ requestId }, () => engine.start({ kind: 'ledger', actorId, startKey: null, input: {} })),
      ),
    );
    await engine.drain();
    expect(hints().map(({ id, trace }) => [id, trace])).toEqual(
      callers.map(({ requestId, actorId }) => [`${actorId}:actor.started:hint`, requestId]),
    );
    const { db } = database();
    expect(await db.selectFrom('outbox_message').select('id').where('queue', '=', 'hints').execute()).toEqual([]);
    await relay.stop();
  });

  test('are not published when the commit fails', async () => {
    const { engine, relay, hints } = start();
    const actorId = newActorId();
    await engine.start({ kind: 'ledger', actorId, startKey: null, input: {} });
    const book = (eventId: string, amount: number) =>
      engine.deliver({ actorId, eventId, event: { type: 'book', amount } });
    expect((await book('refused', POISON.forProjection)).outcome).toBe('failed');
    expect((await book('taken', 1)).outcome).toBe('applied');
    await engine.drain();
    expect(hints().map(({ id }) => id)).toEqual([`${actorId}:actor.started:hint`, `${actorId}:taken:hint`]);
    await relay.stop();
  });

  test('very many hints of one commit are published in parts', async () => {
    const responses: (() => void)[] = [];
    const bus = {
      publish: () => new Promise<void>((resolve) => responses.push(resolve)),
      subscribe: () => Promise.reject(new Error('not used')),
      isHealthy: async () => true,
      waiting: async () => null,
      close: async () => {},
    };
    const { db } = database();
    const relay = createRelay({ db, bus, log: silentLog });
    const hint = { queue: 'hints', partition: 0, data: null, isHint: true } as const;
    relay.publish(Array.from({ length: MAX_HINTS_AT_ONCE + 1 }, (_, index) => ({ ...hint, id: `hint:${index}` })));
    expect(responses).toHaveLength(MAX_HINTS_AT_ONCE);
    for (const respond of responses.splice(0)) respond();
    await vi.waitFor(() => expect(responses).toHaveLength(1), POLLING);
    responses[0]?.();
    await relay.stop();
  });
});
