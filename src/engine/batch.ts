import { together } from '../db/index.ts';
import { deliverEvents } from './batch-events.ts';
import { startActors } from './batch-starts.ts';
import { noConsequences } from './consequences.ts';
import { groupBy } from './group-by.ts';
import { insertActors, updateActors } from './sql/actors.ts';
import { type DeadLetter, insertDeadLetters } from './sql/dead-letters.ts';
import { appendJournal } from './sql/journal.ts';
import { insertOutbox } from './sql/outbox.ts';
import { planByIndex } from './sql/plan.ts';
import { changeTimers, dropTimersOf } from './sql/timers.ts';
import type { OutgoingMessage, Step } from './types.ts';
import type { BatchDeps, Command, Settled, Work } from './work.ts';

export type { BatchDeps, Command, Settled } from './work.ts';

export interface BatchResult {
  /** Same order and length as the commands. */
  readonly settled: readonly Settled[];
  /** Committed and now to be published. */
  readonly messages: readonly OutgoingMessage[];
  /** A timer was set that may be due already. */
  readonly setsDueTimers: boolean;
  readonly deadLetters: readonly DeadLetter[];
}

/** Thrown when another process started one of the same actors a moment earlier; the batch runs again and finds it. */
export class LostRace extends Error {}

/**
 * One transaction for many commands. Statements are set-based: their number does not depend on the number of commands.
 * Nothing of it is visible before the commit, and all of it after. With `poison` the one event is set aside.
 */
export async function runBatch(
  deps: BatchDeps,
  commands: readonly Command[],
  poison: string | null,
): Promise<BatchResult> {
  const result = await deps.db.transaction().execute(async (trx) => {
    const settled: Settled[] = [];
    const work: Work = {
      ...deps,
      trx,
      commands,
      settled,
      actors: new Map(),
      steps: [],
      wanted: noConsequences(),
      deadLetters: [],
    };
    const planned = planByIndex(trx);
    await together([planned, startActors(work)]);
    await deliverEvents(work, poison);
    await writeAll(work);
    deps.crash('engine.before_commit');
    const { messages } = work.wanted;
    return { settled, messages, setsDueTimers: setsDueTimers(work), deadLetters: work.deadLetters };
  });
  deps.crash('engine.after_commit');
  return result;
}

// Helpers

/** All writes leave in one round trip; the server runs them in this order. The first failure fails the transaction. */
async function writeAll({ trx, crash, actors, steps, wanted, deadLetters }: Work): Promise<void> {
  const touchedIds = new Set(steps.map(({ step }) => step.actorId));
  const touched = [...actors.values()].filter((actor) => touchedIds.has(actor.id));
  const fresh = touched.filter((actor) => actor.isNew);
  const known = touched.filter((actor) => !actor.isNew);
  const done = touched.filter((actor) => actor.snapshot.status !== 'active').map((actor) => actor.id);
  const clockOffsetOf = (actorId: string) => actors.get(actorId)?.clockOffsetMs ?? 0;
  const inserted = insertActors(trx, fresh);
  const first = [inserted, updateActors(trx, known), appendJournal(trx, steps)];
  crash('engine.half_written');
  const written = together([
    ...first,
    changeTimers(trx, [...wanted.timers.values()], clockOffsetOf).then(() => dropTimersOf(trx, done)),
    insertOutbox(trx, wanted.messages),
    insertDeadLetters(trx, deadLetters),
    ...projections(trx, steps),
  ]);
  // Whoever lost the race also breaks unique keys of the projection; the race is the reason, not they.
  const isRaceLost = await inserted.then((count) => count < fresh.length).catch(() => false);
  await written.catch((error: unknown) => {
    if (!isRaceLost) throw error;
  });
  if (isRaceLost) throw new LostRace();
}

function projections(trx: Work['trx'], steps: Work['steps']): Promise<void>[] {
  const changes = steps.filter(({ step }) => step.outcome === 'started' || step.outcome === 'applied');
  return [...groupBy(changes, (each) => each.kind)].map(async ([kind, group]) => {
    // Kinds erase their context type; `defineKind` guarantees that it is theirs.
    await kind.project?.(
      trx,
      group.map(({ step }) => step as Step<never>),
    );
  });
}

function setsDueTimers({ wanted, actors, clock }: Work): boolean {
  const now = clock.now();
  return [...wanted.timers.values()].some((change) => {
    if (change.kind !== 'set') return false;
    if (change.height !== null) return true;
    return (change.dueAt ?? 0) <= now + (actors.get(change.actorId)?.clockOffsetMs ?? 0);
  });
}
