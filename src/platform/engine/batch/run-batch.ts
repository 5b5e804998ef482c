import { pipelinedTransaction, settleAll } from '../../db/index.ts';
import { messageOf } from '../../errors.ts';
import { groupBy } from '../../group-by.ts';
import { noConsequences } from '../consequences.ts';
import { insertActors } from '../sql/actors.ts';
import { type DeadLetter, insertDeadLetters } from '../sql/dead-letters.ts';
import { deletePendingObservations } from '../sql/pending-observations.ts';
import { planByIndex } from '../sql/plan.ts';
import { writeSteps } from '../sql/write-steps.ts';
import type { ActorKind, EventCommand, Hint, OutgoingMessage, Step } from '../types.ts';
import { deliverEvents } from './batch-events.ts';
import { startActors } from './batch-starts.ts';
import type { BatchDeps, BatchState, Poison } from './batch-state.ts';
import type { Command, CommandResult, JournaledStep } from './command.ts';
import { loadBatch } from './load-batch.ts';

export interface BatchResult {
  /** Same order and length as the commands. */
  readonly results: readonly CommandResult[];
  /** Committed messages and hints, to be published now. */
  readonly messages: readonly OutgoingMessage[];
  /** A timer was set that may already be due. */
  readonly setsDueTimers: boolean;
  readonly deadLetters: readonly DeadLetter[];
  readonly steps: readonly JournaledStep[];
}

/**
 * Thrown when another batch, of this or another process, started one of the same actors
 * concurrently; the batch is rerun and finds it.
 */
export class LostRace extends Error {}

/**
 * Thrown when no transaction could be started. No command was examined, so none is at fault,
 * regardless of the cause.
 */
export class NotBegun extends Error {}

/**
 * Runs many commands in one transaction. Statements are set-based: their number does not depend on
 * the number of commands. With `poison`, the one event is dead-lettered. Throws `NotBegun` when no
 * transaction could be started, and `LostRace`.
 */
export async function runBatch(
  deps: BatchDeps,
  commands: readonly Command[],
  poison: Poison | null,
): Promise<BatchResult> {
  let hasBegun = false;
  const committing = pipelinedTransaction(deps.db, async (trx, begun) => {
    void begun.then(() => {
      hasBegun = true;
    }, ignore);
    const results: CommandResult[] = [];
    const batch: BatchState = {
      ...deps,
      trx,
      commands,
      results,
      actors: new Map(),
      steps: [],
      consequences: noConsequences(),
      deadLetters: [],
    };
    const [, loaded] = await settleAll([planByIndex(trx), loadBatch(batch)]);
    await startActors(batch, loaded);
    await deliverEvents(batch, loaded, poison);
    const hints = await writeAll(batch);
    deps.crash('engine.before_commit');
    const { deadLetters, steps, consequences } = batch;
    const messages = [...consequences.messages, ...hints];
    return { results, messages, setsDueTimers: setsDueTimers(batch), deadLetters, steps };
  });
  const result = await committing.catch((error: unknown) => {
    throw hasBegun ? error : new NotBegun(messageOf(error), { cause: error });
  });
  deps.crash('engine.after_commit');
  return result;
}

// Helpers

function ignore(): void {}

/**
 * All writes are sent in one round trip; the server runs them in this order. The first error fails
 * the transaction. Returns the hints of the projections.
 */
async function writeAll(batch: BatchState): Promise<OutgoingMessage[]> {
  const { trx, crash, steps, deadLetters } = batch;
  const fresh = [...batch.actors.values()].filter(({ isNew }) => isNew);
  const inserted = insertActors(trx, fresh);
  const first = [inserted, writeSteps(trx, batch)];
  crash('engine.half_written');
  const hints: Hint[] = [];
  const written = settleAll([
    ...first,
    insertDeadLetters(trx, deadLetters),
    deletePendingObservations(trx, eventsTaken(batch)),
    ...projections(trx, steps, hints),
  ]);
  // A lost race also violates unique keys of the projection; report the race, not the violation.
  const isRaceLost = await inserted.then((count) => count < fresh.length).catch(() => false);
  await written.catch((error: unknown) => {
    if (!isRaceLost) throw error;
  });
  if (isRaceLost) throw new LostRace();
  const traces = new Map(steps.map(({ step, trace }) => [step.actorId, trace]));
  return hints.map((hint) => ({ ...hint, trace: traces.get(hint.actorId) ?? null }));
}

/**
 * Events that need no redelivery. Dead-lettered ones keep holding back their actors' timers until
 * an operator resolves them.
 */
function eventsTaken({ commands, results }: BatchState): EventCommand[] {
  return commands.flatMap((command, index) => {
    const result = results[index];
    if (command.type !== 'event' || result === undefined || 'rejection' in result) return [];
    return TAKEN.has(result.outcome.outcome) ? [command] : [];
  });
}

const TAKEN: ReadonlySet<string> = new Set(['applied', 'ignored', 'duplicate']);

/** Adds to `hints` what the projections return. */
function projections(trx: BatchState['trx'], steps: BatchState['steps'], hints: Hint[]): Promise<void>[] {
  const concerned = steps.filter(({ step, isMissed }) => isMissed === true || isChange(step));
  // In one order for all batches, so that two that run at the same time do not lock each other out.
  const groups = [...groupBy(concerned, (each) => each.kind)].sort(([a], [b]) => compareKinds(a, b));
  return groups.map(async ([kind, group]) => {
    // `defineKind` erased the context type; it guarantees that the steps match.
    const of = (part: typeof group) => part.map(({ step }) => step as Step<never>);
    const changes = group.filter(({ step }) => isChange(step));
    // Not spread: there may be more than the maximum number of arguments.
    if (changes.length > 0) for (const hint of (await kind.project?.(trx, of(changes))) ?? []) hints.push(hint);
    const missed = group.filter(({ isMissed }) => isMissed === true);
    if (missed.length > 0) await kind.recordMissed?.(trx, of(missed));
  });
}

function compareKinds(a: ActorKind, b: ActorKind): number {
  return a.name === b.name ? Number(a.version) - Number(b.version) : a.name < b.name ? -1 : 1;
}

function isChange({ outcome }: Step): boolean {
  return outcome === 'started' || outcome === 'applied';
}

function setsDueTimers({ consequences, actors, clock }: BatchState): boolean {
  const now = clock.now();
  return [...consequences.timers.values()].some((change) => {
    if (change.kind !== 'set') return false;
    if (change.height !== null) return true;
    return (change.dueAt ?? 0) <= now + (actors.get(change.actorId)?.clockOffsetMs ?? 0);
  });
}
