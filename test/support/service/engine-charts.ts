import { sql } from 'kysely';
import { setup } from 'xstate';
import type { Connection } from '../../../src/platform/db/index.ts';
import type { ActorKind } from '../../../src/platform/engine/index.ts';
import { actorQueue, defineKind } from '../../../src/platform/engine/index.ts';

/** Topic of the ledger chart's messages. */
export const ANNOUNCEMENTS = 'announcements';

/** Amounts that make the chart, its effect handler or the SQL of its projection throw. */
export const POISON = { forChart: 666, forHandler: 667, forProjection: 668 } as const;

interface LedgerContext {
  readonly createdAt: number;
  readonly total: number;
  readonly entries: number;
  readonly reminders: number;
  readonly lastReminder: { readonly at: number; readonly dueAt: number | null; readonly height: number | null } | null;
}

type LedgerEvent = { readonly at: number } & (
  | { readonly type: 'book'; readonly amount: number }
  /** Books here and forwards the amount to another ledger. */
  | { readonly type: 'forward'; readonly amount: number; readonly to: string }
  | { readonly type: 'remind'; readonly inMs: number; readonly gate?: string }
  | { readonly type: 'remindAtHeight'; readonly height: number; readonly gate: string }
  | { readonly type: 'forget' }
  | { readonly type: 'close' }
  | { readonly type: 'timer.reminder_due'; readonly dueAt?: number; readonly height?: number }
);

export interface LedgerEffects {
  announce: { what: string; amount: number };
  sendOn: { to: string; amount: number };
  setReminder: { dueAt: number; gate: string | null };
  setHeightReminder: { height: number; gate: string };
  cancelReminder: undefined;
}

const base = setup({
  types: {} as { context: LedgerContext; events: LedgerEvent; input: { createdAt: number; total?: number } },
  actions: {
    announce: (_, _params: LedgerEffects['announce']) => {},
    sendOn: (_, _params: LedgerEffects['sendOn']) => {},
    setReminder: (_, _params: LedgerEffects['setReminder']) => {},
    setHeightReminder: (_, _params: LedgerEffects['setHeightReminder']) => {},
    cancelReminder: () => {},
  },
});

const ledger = base.extend({
  actions: {
    book: base.enqueueActions(({ context, event, enqueue }) => {
      if (event.type !== 'book' && event.type !== 'forward') return;
      if (event.amount === POISON.forChart) throw new Error('the chart cannot book 666');
      enqueue.assign({ total: context.total + event.amount, entries: context.entries + 1 });
      enqueue({ type: 'announce', params: { what: 'booked', amount: event.amount } });
      if (event.type === 'forward') enqueue({ type: 'sendOn', params: { to: event.to, amount: event.amount } });
    }),
    remind: base.enqueueActions(({ event, enqueue }) => {
      if (event.type !== 'remind') return;
      enqueue({ type: 'setReminder', params: { dueAt: event.at + event.inMs, gate: event.gate ?? null } });
    }),
    remindAtHeight: base.enqueueActions(({ event, enqueue }) => {
      if (event.type !== 'remindAtHeight') return;
      enqueue({ type: 'setHeightReminder', params: { height: event.height, gate: event.gate } });
    }),
    recordReminder: base.assign(({ context, event }) => {
      if (event.type !== 'timer.reminder_due') return {};
      const lastReminder = { at: event.at, dueAt: event.dueAt ?? null, height: event.height ?? null };
      return { reminders: context.reminders + 1, lastReminder };
    }),
  },
});

/** A ledger that sums bookings in any order, announces each one, and can be reminded and closed. */
export const ledgerMachine = ledger.createMachine({
  id: 'ledger',
  version: '1',
  context: ({ input }) => ({
    createdAt: input.createdAt,
    total: input.total ?? 0,
    entries: 0,
    reminders: 0,
    lastReminder: null,
  }),
  initial: 'open',
  on: { book: { actions: 'book' }, forward: { actions: 'book' } },
  states: {
    open: {
      on: {
        remind: { actions: 'remind' },
        remindAtHeight: { actions: 'remindAtHeight' },
        forget: { actions: 'cancelReminder' },
        'timer.reminder_due': {
          actions: ['recordReminder', { type: 'announce', params: { what: 'reminded', amount: 0 } }],
        },
        close: 'closed',
      },
    },
    closed: { type: 'final', entry: { type: 'announce', params: { what: 'closed', amount: 0 } } },
  },
});

/** Payload of a ledger's announcement. */
export interface Announcement {
  readonly actorId: string;
  readonly sequence: number;
  readonly what: string;
  readonly amount: number;
}

/** The ledger chart with a projection into the table of `createLedgerTable`. */
export function createLedgerKind(): ActorKind {
  return defineKind<LedgerEffects>()({
    machine: ledgerMachine,
    effects: {
      announce({ what, amount }, { actorId, sequence }) {
        if (amount === POISON.forHandler) throw new Error('the handler cannot announce 667');
        const data: Announcement = { actorId, sequence, what, amount };
        return [{ kind: 'message', queue: ANNOUNCEMENTS, key: actorId, data }];
      },
      sendOn({ to, amount }, { actorId, sequence }) {
        const data = { actorId: to, eventId: `from:${actorId}:${sequence}`, event: { type: 'book', amount } };
        return [{ kind: 'message', queue: actorQueue('ledger'), key: to, data }];
      },
      setReminder: ({ dueAt, gate }) => [{ kind: 'timer', name: 'reminder_due', dueAt, gate }],
      setHeightReminder: ({ height, gate }) => [{ kind: 'heightTimer', name: 'reminder_due', gate, height }],
      cancelReminder: () => [{ kind: 'cancelTimer', name: 'reminder_due' }],
    },
    async project(trx, steps) {
      const rows = new Map<string, { total: number; largest: number }>();
      for (const { actorId, context, event } of steps) {
        const amount = 'amount' in event ? Number(event.amount) : 0;
        rows.set(actorId, { total: context.total, largest: Math.max(amount, rows.get(actorId)?.largest ?? 0) });
      }
      const values = [...rows.values()];
      await sql`
        insert into test_ledger (actor_id, total, largest)
        select * from unnest(${[...rows.keys()]}::text[], ${values.map((row) => row.total)}::int8[],
          ${values.map((row) => row.largest)}::int8[])
        on conflict (actor_id) do update set total = excluded.total, largest = excluded.largest`.execute(trx);
    },
  });
}

/** Creates the projection's table, which rejects `POISON.forProjection`. */
export async function createLedgerTable({ db }: Pick<Connection, 'db'>): Promise<void> {
  await sql`
    create table if not exists test_ledger (
      actor_id text primary key,
      total int8 not null,
      largest int8 not null check (largest <> ${sql.lit(POISON.forProjection)})
    )`.execute(db);
}

/** The projected total of one ledger; null when it has not been projected. */
export async function readTotal({ db }: Pick<Connection, 'db'>, actorId: string): Promise<number | null> {
  const { rows } = await sql<{ total: number }>`select total from test_ledger where actor_id = ${actorId}`.execute(db);
  return rows[0]?.total ?? null;
}
