import type { AnyStateMachine } from 'xstate';
import type { ActorKind } from './types.ts';

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
