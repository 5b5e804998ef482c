import pg from 'pg';
import { statePath } from '../../../machines/index.ts';
import {
  type ActorKind,
  type EventCommand,
  restoreSnapshot,
  type StartCommand,
} from '../../../src/platform/engine/index.ts';
import { createGroup } from '../../support/group.ts';
import {
  type Actor,
  actorRow,
  changeTimers,
  coinRows,
  type Stepped,
  statusRow,
  termsRow,
  webhookRows,
} from './rows.ts';
import * as statements from './statements.ts';

/**
 * The ceiling: a minimal program that does the same for payments. It runs the real chart, checks
 * for repeated events, and writes journal, snapshot, timer, terms, status, coins and webhook bytes
 * to its own tables (`tables.ts`).
 *
 * It leaves out start keys, the archive, gates other than the chain's time, pending observations,
 * the isolation of bad events, reruns after conflicts, operator alerts, attention and all counts.
 */
export interface LeanProgram {
  submit(command: Command): Promise<void>;
  stop(): Promise<void>;
}

type Command = StartCommand | EventCommand;

/** Two, so that one folds while the other waits for its commit. */
const LANES = 2;
const BY_INDEX = 'set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off; set jit = off';

export async function createLeanProgram(url: string, kind: ActorKind): Promise<LeanProgram> {
  const lanes = await Promise.all(Array.from({ length: LANES }, () => openLane(url, kind)));
  return {
    submit: async (command) => lanes[command.actorId.charCodeAt(command.actorId.length - 1) % LANES]?.submit(command),
    async stop() {
      for (const lane of lanes) await lane.stop();
    },
  };
}

// Helpers

async function openLane(url: string, kind: ActorKind): Promise<LeanProgram> {
  const client = new pg.Client({ connectionString: url, pipeline: true });
  await client.connect();
  await client.query(BY_INDEX);
  const addresses: string[] = [];
  let published: { id: string }[] = [];

  /** Statements sent without waiting share a round trip. */
  const send = async (statement: statements.Statement, rows: readonly object[]) => {
    if (rows.length === 0) return [];
    const { name, text } = statement;
    return (await client.query({ name, text, values: statements.valuesOf(statement, rows) })).rows;
  };

  async function load(events: readonly EventCommand[]): Promise<[Map<string, Actor>, Set<string>]> {
    const ids = [...new Set(events.map(({ actorId }) => actorId))].map((id) => ({ id }));
    const keys = events.map(({ actorId, eventId }) => ({ actor_id: actorId, event_id: eventId }));
    const [, rows, accepted] = await Promise.all([
      client.query('begin'),
      send(statements.LOCK, ids),
      send(statements.FIND_ACCEPTED, keys),
    ]);
    const actors = rows.map(({ id, snapshot, timers }): [string, Actor] => {
      return [id, { id, timers: JSON.parse(timers), snapshot: restoreSnapshot(kind, JSON.parse(snapshot)) }];
    });
    return [new Map(actors), new Set(accepted.map(({ actor_id, event_id }) => `${actor_id} ${event_id}`))];
  }

  async function commit(commands: readonly Command[]): Promise<void> {
    const starts = commands.filter((command): command is StartCommand => 'input' in command);
    const events = commands.filter((command): command is EventCommand => 'eventId' in command);
    while (addresses.length < starts.length) {
      addresses.push(...(await client.query(statements.CLAIM_ADDRESSES)).rows.map(({ address }) => address));
    }
    const [moved, accepted] = await load(events);
    const at = Date.now();
    const fresh: Actor[] = [];
    const terms: object[] = [];
    const journal: object[] = [];
    const webhooks: { id: string }[] = [];
    const take = (actor: Actor, eventId: string, event: object, [snapshot, effects]: Stepped) => {
      actor.snapshot = snapshot;
      changeTimers(actor.timers, effects);
      journal.push({ actor_id: actor.id, event_id: eventId, state: statePath(snapshot.value), at, event });
      webhooks.push(...webhookRows(snapshot.context, effects, at));
    };
    for (const { actorId: id, input: given, attachment } of starts) {
      const input = { ...given, depositAddress: addresses.pop(), createdAt: at };
      const started = kind.stepper.start(input);
      const actor = { id, timers: {}, snapshot: started[0] };
      fresh.push(actor);
      terms.push(termsRow(actor, attachment));
      take(actor, 'started', input, started);
    }
    for (const { actorId, eventId, event } of events) {
      const actor = moved.get(actorId);
      if (actor === undefined || accepted.has(`${actorId} ${eventId}`)) continue;
      accepted.add(`${actorId} ${eventId}`);
      const stamped = { ...event, at };
      take(actor, eventId, stamped, kind.stepper.step(actor.snapshot, stamped));
    }
    const changed = [...moved.values()];
    await Promise.all([
      send(statements.INSERT_ACTORS, fresh.map(actorRow)),
      send(statements.UPDATE_ACTORS, changed.map(actorRow)),
      send(statements.INSERT_JOURNAL, journal),
      send(statements.INSERT_TERMS, terms),
      send(statements.INSERT_STATUS, fresh.map(statusRow)),
      send(statements.UPDATE_STATUS, changed.map(statusRow)),
      send(statements.UPSERT_COINS, changed.flatMap(coinRows)),
      send(statements.INSERT_EVENTS, webhooks),
      send(statements.MARK_PUBLISHED, published),
      // Rolls back when a statement before it has failed, whose error is thrown.
      client.query('commit'),
    ]);
    // The bus of the bench accepts every message immediately; the next commit marks them.
    published = webhooks;
  }

  const group = createGroup<Command>(commit);
  return { submit: (command) => group.submit(command), stop: () => client.end() };
}
