import type { AnyMachineSnapshot, AnyStateMachine, ContextFrom } from 'xstate';
import { RetryableError, TerminalError } from '../errors.ts';
import { createStepper } from './stepper.ts';
import type { ActorKind, Consequence, Step } from './types.ts';

type HandlersOf<TEffects, TContext> = {
  readonly [E in keyof TEffects]: (params: TEffects[E], step: Step<TContext>) => readonly Consequence[];
};

/** Types a kind: a new effect of the chart without a handler here does not compile. */
export function defineKind<TEffects>() {
  return <TMachine extends AnyStateMachine>(kind: {
    readonly machine: TMachine;
    readonly effects: HandlersOf<TEffects, ContextFrom<TMachine>>;
    readonly prepare?: ActorKind['prepare'];
    readonly migrate?: ActorKind['migrate'];
    readonly merchantOf?: (context: ContextFrom<TMachine>) => string | null;
    readonly project?: (
      trx: Parameters<NonNullable<ActorKind['project']>>[0],
      steps: readonly Step<ContextFrom<TMachine>>[],
    ) => Promise<void>;
    readonly recordMissed?: (
      trx: Parameters<NonNullable<ActorKind['recordMissed']>>[0],
      steps: readonly Step<ContextFrom<TMachine>>[],
    ) => Promise<void>;
  }): ActorKind => {
    const { machine } = kind;
    // The chart only ever hands its own parameters and context back, so erasing their types here is safe.
    const derived = { name: machine.id, version: machine.version ?? '', stepper: createStepper(machine) };
    return { ...kind, ...derived } as unknown as ActorKind;
  };
}

export interface KindRegistry {
  /**
   * The chart of this name: in the version asked for when it is registered, else in the current one. Throws a
   * `TerminalError` when there is none of this name, and a `RetryableError` when the version asked for is newer than all: another
   * process knows it, or this one soon will.
   */
  get(name: string, version?: string): ActorKind;
  /** The current chart of every name. */
  list(): readonly ActorKind[];
  /** Every version of this name, in the order they were given: the last is the current one. Empty when there is none. */
  versions(name: string): readonly ActorKind[];
}

/**
 * Registers charts and refuses those that cannot run durably. Of several versions of one chart the last given is the
 * current one, which new actors run; the others are kept for actors that were started under them.
 */
export function createKindRegistry(kinds: readonly ActorKind[]): KindRegistry {
  const current = new Map<string, ActorKind>();
  const byVersion = new Map<string, ActorKind>();
  for (const kind of kinds) {
    const problems = durabilityProblems(kind);
    if (problems.length > 0) {
      const message = `The chart "${kind.name}" cannot run durably: ${problems.join('; ')}`;
      throw new TerminalError('CHART_NOT_DURABLE', message);
    }
    const key = `${kind.name} ${kind.version}`;
    if (byVersion.has(key)) {
      throw new TerminalError('CHART_TWICE', `Two charts are named "${kind.name}" in version "${kind.version}"`);
    }
    byVersion.set(key, kind);
    current.set(kind.name, kind);
  }
  return {
    get(name, version) {
      const kind = byVersion.get(`${name} ${version}`) ?? current.get(name);
      if (kind !== undefined && isNewer(version, kind.version)) {
        const known = `this process knows versions up to ${kind.version} of "${name}"`;
        throw new RetryableError('CHART_TOO_NEW', `The actor runs version ${version}, and ${known}: upgrade it`);
      }
      if (kind !== undefined) return kind;
      throw new TerminalError('CHART_UNKNOWN', `No chart named "${name}" is registered in this process`);
    },
    list: () => [...current.values()],
    versions: (name) => [...byVersion.values()].filter((kind) => kind.name === name),
  };
}

/**
 * What would be lost by running this chart from rows; empty when nothing. `after`, `invoke` and `spawn` live in the
 * memory of a process: a restored snapshot would silently lose them.
 */
export function durabilityProblems(kind: ActorKind): string[] {
  const problems = new Set<string>();
  if (kind.version === '') problems.add('it has no version; give createMachine a `version`');
  for (const node of nodesOf(kind.machine.root)) {
    const place = node.path.length === 0 ? 'the root' : `state "${node.path.join('.')}"`;
    if (node.after.length > 0) problems.add(`${place} uses \`after\`; ask for a timer effect instead`);
    if (node.invoke.length > 0) problems.add(`${place} uses \`invoke\`; send a message effect and take an event back`);
    if (node.type === 'parallel') problems.add(`${place} is parallel; rows hold one active leaf`);
    if (node.type === 'history') problems.add(`${place} is a history state; rows do not hold history`);
    for (const action of actionsOf(node)) {
      const problem = problemOf(kind, action);
      if (problem !== null) problems.add(`${place} ${problem}`);
    }
  }
  const declared = kind.machine.implementations.actions;
  for (const [name, implementation] of Object.entries(declared)) {
    if (typeof implementation === 'function' && !('type' in implementation) && kind.effects[name] === undefined) {
      problems.add(`action "${name}" is an effect without a handler`);
    }
  }
  for (const effect of Object.keys(kind.effects)) {
    if (declared[effect] === undefined)
      problems.add(`effect "${effect}" has a handler but is not declared in the chart`);
  }
  return [...problems];
}

// Helpers

/** Versions are whole numbers; others have no order, and then the current one is taken for the newest. */
function isNewer(version: string | undefined, current: string): boolean {
  return version !== undefined && Number(version) > Number(current);
}

type Node = AnyStateMachine['root'];

/** Actions of XState that only compute; every other one of its own does something outside the snapshot. */
const PURE_ACTIONS = new Set(['xstate.assign', 'xstate.enqueueActions']);

function* nodesOf(node: Node): Generator<Node> {
  yield node;
  for (const child of Object.values(node.states)) yield* nodesOf(child);
}

function actionsOf(node: Node): unknown[] {
  const transitions = [...node.transitions.values()].flat().concat(node.always ?? []);
  return [...node.entry, ...node.exit, ...transitions.flatMap((each) => [...each.actions])];
}

/** Named actions count as what the name stands for. */
function problemOf(kind: ActorKind, action: unknown): string | null {
  const name = typeof action === 'string' ? action : typeOf(action);
  if (name === null) return 'has an inline function as action; name it in `setup`';
  const implementation = kind.machine.implementations.actions[name];
  const type = typeOf(implementation) ?? name;
  if (type.startsWith('xstate.')) {
    return PURE_ACTIONS.has(type) ? null : `uses \`${type.replace('xstate.', '')}\`; effects must be data`;
  }
  return implementation === undefined ? `uses action "${name}", which is not declared in \`setup\`` : null;
}

function typeOf(action: unknown): string | null {
  if ((typeof action !== 'object' && typeof action !== 'function') || action === null || !('type' in action))
    return null;
  return String(action.type);
}

/** Snapshots rest as value, context and status; everything else XState can rebuild. */
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
