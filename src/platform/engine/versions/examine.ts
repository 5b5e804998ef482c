import { isDeepStrictEqual } from 'node:util';
import { statePath } from '../../../../machines/index.ts';
import type { StoredSnapshot } from '../../db/index.ts';
import { messageOf } from '../../errors.ts';
import type { ActorRow, JournalEntry } from '../stored-types.ts';
import type { ActorKind, Effect } from '../types.ts';
import { foldHistory, type History, plain, shownBy } from './fold-history.ts';
import { restoreSnapshot } from './restore-snapshot.ts';

/** A stored actor with the journal and timers needed to examine its migration. */
export interface Candidate {
  readonly row: ActorRow;
  readonly journal: readonly JournalEntry[];
  readonly timers: readonly RestingTimer[];
}

export interface RestingTimer {
  readonly name: string;
  readonly dueAt: number | null;
  readonly gate: string | null;
  readonly height: number | null;
}

/**
 * Effect of migrating one actor. `same`: no observable difference. `differs`: see `differences`.
 * `fails`: it cannot be migrated.
 */
export type MigrationComparison =
  | {
      readonly outcome: 'same' | 'differs';
      readonly differences: readonly string[];
      readonly snapshot: StoredSnapshot;
      readonly state: string;
      /** Effects declared by the target's `migrate`; no others are requested. */
      readonly effects: readonly Effect[];
    }
  | { readonly outcome: 'fails'; readonly reason: string };

/**
 * Examines the migration of one actor to another version of its chart. If the target declares a
 * `migrate` for the version, the snapshot is mapped; otherwise the whole journal is folded with the
 * target chart, as if the actor had always run it. Pure.
 */
export function examine(candidate: Candidate, { from, to }: { from: ActorKind; to: ActorKind }): MigrationComparison {
  try {
    const map = to.migrate?.[from.version];
    return map === undefined ? folded(candidate, from, to) : mapped(candidate, map(candidate.row.snapshot), to);
  } catch (error) {
    return { outcome: 'fails', reason: messageOf(error) };
  }
}

// Helpers

function folded({ row, journal, timers }: Candidate, from: ActorKind, to: ActorKind): MigrationComparison {
  const before = foldHistory(from, journal, row.id);
  if (!isDeepStrictEqual(before.snapshot, row.snapshot)) {
    return { outcome: 'fails', reason: 'the journal does not fold to the stored snapshot with its own chart' };
  }
  const after = foldHistory(to, journal, row.id);
  const differences = [
    ...differentStates(before, after),
    ...differentContexts(row.snapshot.context, after.snapshot.context),
    ...differentTimers(timers, after.timers),
    ...differentEffects(before, after),
    ...after.unhandled.map((sequence) => `event ${typeAt(journal, sequence)} is not handled`),
  ];
  return verdictOf(differences, { snapshot: after.snapshot, state: after.state, effects: [] });
}

function mapped(
  { row }: Candidate,
  { value, context, effects = [] }: { value: unknown; context: unknown; effects?: readonly Effect[] },
  to: ActorKind,
): MigrationComparison {
  const next = restoreSnapshot(to, { value, context, status: row.snapshot.status });
  const snapshot = plain(next);
  const state = statePath(next.value);
  const differences = [
    ...(state === row.state ? [] : [`state ${row.state} → ${state}`]),
    ...differentContexts(row.snapshot.context, snapshot.context),
    ...effects.map(({ type }) => `requests ${type}`),
  ];
  // Also reads the state's `meta`; `restoreSnapshot` has thrown already if the chart lacks the
  // state.
  shownBy(next);
  return verdictOf(differences, { snapshot, state, effects });
}

function verdictOf(
  differences: readonly string[],
  result: { snapshot: StoredSnapshot; state: string; effects: readonly Effect[] },
): MigrationComparison {
  return { outcome: differences.length === 0 ? 'same' : 'differs', differences: [...new Set(differences)], ...result };
}

function differentStates(before: History, after: History): string[] {
  const differences: string[] = [];
  if (before.state !== after.state) differences.push(`state ${before.state} → ${after.state}`);
  if (before.snapshot.status !== after.snapshot.status)
    differences.push(`status ${before.snapshot.status} → ${after.snapshot.status}`);
  if (!isDeepStrictEqual(before.shown, after.shown))
    differences.push(`shown as ${JSON.stringify(before.shown)} → ${JSON.stringify(after.shown)}`);
  return differences;
}

function differentContexts(before: unknown, after: unknown): string[] {
  const [one, other] = [before ?? {}, after ?? {}] as [Record<string, unknown>, Record<string, unknown>];
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])].sort();
  return names.flatMap((name) => {
    if (!(name in one)) return [`context: ${name} is new`];
    if (!(name in other)) return [`context: ${name} is missing`];
    return isDeepStrictEqual(one[name], other[name]) ? [] : [`context: ${name} differs`];
  });
}

/**
 * Due times are reported as different without their values, so that actors with the same kind of
 * difference are counted together.
 */
function differentTimers(resting: readonly RestingTimer[], expected: History['timers']): string[] {
  if (expected === null) return [];
  const extra = [...expected.keys()].filter((name) => !resting.some((timer) => timer.name === name));
  return [
    ...extra.map((name) => `timer ${name} would run but does not`),
    ...resting.flatMap((timer) => {
      const expectedTimer = expected.get(timer.name);
      if (expectedTimer === undefined) return [`timer ${timer.name} runs but would not`];
      const isSame =
        timer.dueAt === expectedTimer.dueAt &&
        timer.gate === expectedTimer.gate &&
        timer.height === expectedTimer.height;
      return isSame ? [] : [`timer ${timer.name} is due at a different time`];
    }),
  ];
}

function differentEffects(before: History, after: History): string[] {
  return [...after.effects].flatMap(([sequence, expected]) => {
    const had = before.effects.get(sequence) ?? [];
    return [
      ...missingFrom(had, expected).map((type) => `would have requested ${type}`),
      ...missingFrom(expected, had).map((type) => `would not have requested ${type}`),
    ];
  });
}

/** Items that `list` contains more often than `other`. */
function missingFrom(other: readonly string[], list: readonly string[]): string[] {
  const left = [...other];
  return list.filter((type) => {
    const index = left.indexOf(type);
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
}

function typeAt(journal: readonly JournalEntry[], sequence: number): string {
  return journal.find((entry) => entry.sequence === sequence)?.event.type ?? String(sequence);
}
