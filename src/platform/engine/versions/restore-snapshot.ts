import type { AnyMachineSnapshot, AnyStateMachine } from 'xstate';
import type { ActorKind } from '../types.ts';

/** Snapshots without a context, by chart, and by value and status. */
const known = new WeakMap<AnyStateMachine, Map<string, AnyMachineSnapshot>>();

/**
 * Restores a snapshot from value, context and status; XState rebuilds the rest, once per state of a
 * chart. Throws what XState throws for a state that the chart does not have.
 */
export function restoreSnapshot(
  { machine }: Pick<ActorKind, 'machine'>,
  stored: { value: unknown; context: unknown; status: string },
): AnyMachineSnapshot {
  const snapshots = known.get(machine) ?? new Map<string, AnyMachineSnapshot>();
  known.set(machine, snapshots);
  const key = `${stored.status} ${JSON.stringify(stored.value)}`;
  const resolved = snapshots.get(key) ?? machine.resolveState(stored as Resolvable);
  snapshots.set(key, resolved);
  return { ...resolved, context: stored.context } as AnyMachineSnapshot;
}

// Helpers

type Resolvable = Parameters<AnyStateMachine['resolveState']>[0];
