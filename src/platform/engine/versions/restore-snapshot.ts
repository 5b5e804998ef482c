import type { AnyMachineSnapshot } from 'xstate';
import type { ActorKind } from '../types.ts';

/** Restores a snapshot from value, context and status; XState rebuilds the rest. */
export function restoreSnapshot(
  kind: Pick<ActorKind, 'machine'>,
  stored: { value: unknown; context: unknown; status: string },
): AnyMachineSnapshot {
  return kind.machine.resolveState({
    value: stored.value as AnyMachineSnapshot['value'],
    context: stored.context,
    status: stored.status as AnyMachineSnapshot['status'],
  });
}
