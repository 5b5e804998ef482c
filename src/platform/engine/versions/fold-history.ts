import { type AnyMachineSnapshot, initialTransition, transition } from 'xstate';
import { statePath } from '../../../../machines/index.ts';
import type { StoredSnapshot } from '../../db/index.ts';
import { consequencesOf, firingOf, type TimerSetting } from '../consequences.ts';
import type { JournalEntry } from '../stored-types.ts';
import type { ActorKind, Effect, Step } from '../types.ts';
import { migratedSnapshotOf } from './migrated.ts';
import { restoreSnapshot } from './restore-snapshot.ts';

/** The result of folding a journal with a chart, not necessarily the one that wrote it. */
export interface History {
  readonly snapshot: StoredSnapshot;
  readonly state: string;
  /** Merged `meta` of all active states; inner states override outer ones. */
  readonly shown: Readonly<Record<string, unknown>>;
  /**
   * Timers running at the end, by name; null after a migration, because the steps before it are not
   * folded.
   */
  readonly timers: ReadonlyMap<string, TimerSetting> | null;
  /** Effect types requested by each step, by sequence. */
  readonly effects: ReadonlyMap<number, readonly string[]>;
  /** Sequences of applied steps that this chart does not react to. */
  readonly unhandled: readonly number[];
}

/**
 * Folds a journal with any version of its chart. A migration step restarts the fold from its
 * snapshot. Throws what the chart or an effect handler throws.
 */
export function foldHistory(
  kind: ActorKind,
  journal: readonly Omit<JournalEntry, 'version'>[],
  actorId: string,
): History {
  const { machine } = kind;
  let snapshot: AnyMachineSnapshot | null = null;
  let timers: Map<string, TimerSetting> | null = new Map();
  const effects = new Map<number, readonly string[]>();
  const unhandled: number[] = [];
  for (const entry of journal) {
    if (entry.outcome === 'ignored') strikeOut(timers, entry.eventId);
    if (entry.outcome !== 'started' && entry.outcome !== 'applied') continue;
    const migrated = migratedSnapshotOf(entry.event);
    if (migrated !== null) {
      snapshot = restoreSnapshot(kind, migrated);
      timers = null;
      effects.clear();
      continue;
    }
    const before: AnyMachineSnapshot | null = snapshot;
    const [next, actions]: ReturnType<typeof transition> =
      before === null ? initialTransition(machine, entry.event.input) : transition(machine, before, entry.event);
    if (next.status === 'error') throw next.error;
    snapshot = next;
    const requested: Effect[] = actions.map((action: Effect) => ({ type: action.type, params: action.params }));
    if (next === before && requested.length === 0) unhandled.push(entry.sequence);
    effects.set(
      entry.sequence,
      requested.map(({ type }) => type),
    );
    const { context } = next;
    const rest = { actorId, wallAt: entry.at, context, effects: requested, attachment: null };
    applyTimers(timers, kind, { ...entry, ...rest, state: statePath(next.value), error: null });
  }
  if (snapshot === null) throw new Error('the journal has no start');
  const stored = plain(snapshot);
  if (stored.status !== 'active') timers?.clear();
  return { snapshot: stored, state: statePath(snapshot.value), shown: shownBy(snapshot), timers, effects, unhandled };
}

/** The snapshot as stored in the database. */
export function plain({ value, context, status }: AnyMachineSnapshot): StoredSnapshot {
  return JSON.parse(JSON.stringify({ value, context, status })) as StoredSnapshot;
}

/** See `History.shown`. */
export function shownBy(snapshot: AnyMachineSnapshot): Record<string, unknown> {
  const metas = Object.entries(snapshot.getMeta() as Record<string, object | undefined>);
  const outerFirst = metas.toSorted(([one], [other]) => one.length - other.length);
  return Object.assign({}, ...outerFirst.map(([, meta]) => meta ?? {})) as Record<string, unknown>;
}

// Helpers

/**
 * A firing removes its timer even if the chart ignored it; a firing of an earlier setting removes
 * nothing.
 */
function strikeOut(timers: Map<string, TimerSetting> | null, eventId: string): void {
  const firing = firingOf(eventId);
  if (firing !== null && timers?.get(firing.name)?.setBySequence === firing.setBySequence) timers.delete(firing.name);
}

function applyTimers(timers: Map<string, TimerSetting> | null, kind: ActorKind, step: Step): void {
  if (timers === null) return;
  for (const change of consequencesOf(kind, step).timers.values()) {
    if (change.kind === 'set') timers.set(change.name, change);
    else timers.delete(change.name);
  }
}
