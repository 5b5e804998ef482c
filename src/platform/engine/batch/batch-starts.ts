import { messageOf, TerminalError } from '../../errors.ts';
import { groupBy } from '../../group-by.ts';
import { foldStart } from '../fold.ts';
import type { ActorKind, PreparedInput, StartDraft } from '../types.ts';
import { type BatchState, record } from './batch-state.ts';
import type { CommandResult, Placed, TracedStart } from './command.ts';
import type { LoadedBatch } from './load-batch.ts';

/**
 * Starts the actors of a batch. A start whose id or start key exists already, in the batch or in
 * the database, returns the existing actor's id.
 */
export async function startActors(batch: BatchState, loaded: LoadedBatch): Promise<void> {
  const { fresh, duplicates } = withoutDuplicates(batch, loaded);
  // In one order for all batches, so that two that run at the same time do not lock each other out.
  const groups = [...groupBy(fresh, ({ command }) => command.kind)].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [name, group] of groups) {
    const kind = batch.kinds.get(name);
    const drafts: StartDraft[] = group.map(({ command: { actorId, input, attachment } }) => {
      return { actorId, input, attachment: attachment ?? null };
    });
    const prepared = (await kind.prepare?.(batch.trx, drafts)) ?? drafts;
    if (prepared.length !== drafts.length)
      throw new Error(`prepare of "${name}" must return one result per draft, in order`);
    for (const [nth, { command, index }] of group.entries()) {
      batch.results[index] = startOne(batch, kind, command, prepared[nth] as PreparedInput);
    }
  }
  for (const { index, of } of duplicates) batch.results[index] = resultLike(batch.results[of]);
}

// Helpers

interface Duplicate {
  readonly index: number;
  /** Index in the batch of the first start with this id or key. */
  readonly of: number;
}

function withoutDuplicates(
  batch: BatchState,
  { starts, started }: LoadedBatch,
): { fresh: Placed<TracedStart>[]; duplicates: Duplicate[] } {
  const existing = new Map(started.flatMap((row) => namesOf(row.id, row.start_key).map((name) => [name, row.id])));
  const inBatch = new Map<string, number>();
  const fresh: Placed<TracedStart>[] = [];
  const duplicates: Duplicate[] = [];
  for (const start of starts) {
    const names = namesOf(start.command.actorId, start.command.startKey);
    const actorId = names.flatMap((name) => existing.get(name) ?? [])[0];
    const of = names.flatMap((name) => inBatch.get(name) ?? [])[0];
    if (actorId !== undefined) batch.results[start.index] = { outcome: { outcome: 'exists', actorId } };
    else if (of !== undefined) duplicates.push({ index: start.index, of });
    else {
      for (const name of names) inBatch.set(name, start.index);
      fresh.push(start);
    }
  }
  return { fresh, duplicates };
}

function namesOf(actorId: string, startKey: string | null): string[] {
  return startKey === null ? [`id ${actorId}`] : [`id ${actorId}`, `key ${startKey}`];
}

/** The second of two equal starts gets the first one's actor id, or its error. */
function resultLike(first: CommandResult | undefined): CommandResult {
  if (first === undefined) throw new Error('the first of two equal starts was not settled');
  if ('rejection' in first || !('actorId' in first.outcome)) return first;
  return { outcome: { outcome: 'exists', actorId: first.outcome.actorId } };
}

export function startOne(
  batch: BatchState,
  kind: ActorKind,
  command: Omit<TracedStart, 'type'>,
  prepared: PreparedInput,
): CommandResult {
  if ('rejection' in prepared) return prepared;
  try {
    const { actor, step } = foldStart(kind, { ...command, input: prepared.input }, batch.clock.now());
    record(batch, kind, step, command.trace);
    batch.actors.set(actor.id, actor);
    return { outcome: { outcome: 'started', actorId: actor.id, step }, actor };
  } catch (error) {
    const message = `The chart "${kind.name}" failed to start: ${messageOf(error)}`;
    return { rejection: new TerminalError('START_REFUSED', message, { cause: error }) };
  }
}
