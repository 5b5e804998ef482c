import type { AnyMachineSnapshot, AnyStateMachine, ContextFrom } from 'xstate';
import { RetryableError, TerminalError } from '../errors.ts';
import { createStepper } from './stepper.ts';
import type { ActorKind, Consequence, Step } from './types.ts';

type HandlersOf<TEffects, TContext> = {
  readonly [E in keyof TEffects]: (params: TEffects[E], step: Step<TContext>) => readonly Consequence[];
};

/**
 * Defines a kind with typed handlers: an effect of the chart without a handler does not compile.
 */
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
    ) => ReturnType<NonNullable<ActorKind['project']>>;
    readonly recordMissed?: (
      trx: Parameters<NonNullable<ActorKind['recordMissed']>>[0],
      steps: readonly Step<ContextFrom<TMachine>>[],
    ) => Promise<void>;
  }): ActorKind => {
    const { machine } = kind;
    // The chart only passes back its own parameters and context, so erasing their types here is
    // safe.
    const derived = { name: machine.id, version: machine.version ?? '', stepper: createStepper(machine) };
    return { ...kind, ...derived } as unknown as ActorKind;
  };
}

export interface KindRegistry {
  /**
   * Returns the chart with this name: the requested version if registered, else the current one.
   * Throws `TerminalError` `CHART_UNKNOWN` for an unknown name, and `RetryableError`
   * `CHART_TOO_NEW` when the requested version is newer than all registered ones: another process
   * has it, or this one will after its upgrade.
   */
  get(name: string, version?: string): ActorKind;
  /** The current version of every chart. */
  list(): readonly ActorKind[];
  /**
   * All versions of this chart in registration order: the last is the current one. Empty for an
   * unknown name.
   */
  versions(name: string): readonly ActorKind[];
}

/**
 * Registers charts. Of several versions of a chart, the last given is the current one, which new
 * actors run; the others serve the actors started under them. Throws `TerminalError`
 * `CHART_NOT_DURABLE` or `CHART_TWICE`.
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
 * Why this chart cannot run from rows; empty when it can. `after`, `invoke` and `spawn` live in
 * process memory: a restored snapshot would silently lose them.
 */
export function durabilityProblems(kind: ActorKind): string[] {
  const problems = new Set<string>();
  if (kind.version === '') problems.add('it has no version; give createMachine a `version`');
  for (const node of nodesOf(kind.machine.root)) {
    const location = node.path.length === 0 ? 'the root' : `state "${node.path.join('.')}"`;
    if (node.after.length > 0) problems.add(`${location} uses \`after\`; use a timer effect instead`);
    if (node.invoke.length > 0)
      problems.add(`${location} uses \`invoke\`; send a message effect and receive an event instead`);
    if (node.type === 'parallel') problems.add(`${location} is parallel; rows hold one active leaf`);
    if (node.type === 'history') problems.add(`${location} is a history state; rows do not hold history`);
    for (const action of actionsOf(node)) {
      const problem = problemOf(kind, action);
      if (problem !== null) problems.add(`${location} ${problem}`);
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

/** Versions are whole numbers; any other version has no order and is not newer. */
function isNewer(version: string | undefined, current: string): boolean {
  return version !== undefined && Number(version) > Number(current);
}

type Node = AnyStateMachine['root'];

/** XState's built-in actions that only compute; all others act outside the snapshot. */
const PURE_ACTIONS = new Set(['xstate.assign', 'xstate.enqueueActions']);

function* nodesOf(node: Node): Generator<Node> {
  yield node;
  for (const child of Object.values(node.states)) yield* nodesOf(child);
}

function actionsOf(node: Node): unknown[] {
  const transitions = [...node.transitions.values()].flat().concat(node.always ?? []);
  return [...node.entry, ...node.exit, ...transitions.flatMap((each) => [...each.actions])];
}

/** Named actions are checked by their implementation. */
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
