import type { AnyTransitionDefinition } from 'xstate';
import type { ActorKind } from './types.ts';

/** A registered chart, to be drawn or listed. Derived from the machine itself. */
export interface ChartDescription {
  readonly kind: string;
  readonly version: string;
  readonly description: string;
  readonly states: readonly StateDescription[];
  readonly transitions: readonly TransitionDescription[];
}

export interface StateDescription {
  /** Such as `open.inReview`; the root is ''. */
  readonly path: string;
  readonly parent: string | null;
  readonly type: 'atomic' | 'compound' | 'final';
  readonly isInitial: boolean;
  readonly description: string;
  /** `meta.waitsFor` of the state or its nearest ancestor that has one; null otherwise. */
  readonly waitsFor: string | null;
  readonly entry: readonly string[];
  readonly exit: readonly string[];
}

export interface TransitionDescription {
  /**
   * Stable within a chart version: source state, event, and index among that state's transitions
   * for the event.
   */
  readonly id: string;
  readonly from: string;
  readonly to: string | null;
  /** `always` for eventless transitions. */
  readonly event: string;
  readonly guard: string | null;
  readonly actions: readonly string[];
  readonly order: number;
}

/** Describes the chart of a kind. A state comes before its child states, in chart order. */
export function describeChart({ name, version, machine }: ActorKind): ChartDescription {
  const nodes = [...nodesWithin(machine.root)];
  return {
    kind: name,
    version,
    description: machine.root.description ?? '',
    states: nodes.map(describeState),
    transitions: nodes.flatMap((node) => transitionsOf(node).map((each) => each.description)),
  };
}

/** The transitions of one state with their descriptions, in the order they are evaluated. */
export function transitionsOf(
  node: StateNode,
): { definition: AnyTransitionDefinition; description: TransitionDescription }[] {
  const from = pathOf(node);
  const named = [...node.transitions].flatMap(([event, list]) => list.map((each, order) => ({ event, order, each })));
  const always = (node.always ?? []).map((each, order) => ({ event: ALWAYS, order, each }));
  return [...named, ...always].map(({ event, order, each }) => ({
    definition: each,
    description: {
      id: `${from}:${event}:${order}`,
      from,
      to: each.target?.[0] === undefined ? null : pathOf(each.target[0]),
      event,
      guard: each.guard === undefined ? null : nameOf(each.guard),
      actions: each.actions.map(nameOf),
      order,
    },
  }));
}

export type StateNode = ActorKind['machine']['root'];

/** Yields a state and all its descendants. */
export function* nodesWithin(node: StateNode): Generator<StateNode> {
  yield node;
  for (const child of Object.values(node.states)) yield* nodesWithin(child);
}

export function pathOf(node: Pick<StateNode, 'path'>): string {
  return node.path.join('.');
}

// Helpers

const ALWAYS = 'always';

function describeState(node: StateNode): StateDescription {
  if (node.type !== 'atomic' && node.type !== 'compound' && node.type !== 'final') {
    throw new Error(`state "${pathOf(node)}" is ${node.type}, which registered charts must not have`);
  }
  return {
    path: pathOf(node),
    parent: node.parent === undefined ? null : pathOf(node.parent),
    type: node.type,
    isInitial: node.parent?.initial?.target[0] === node,
    description: node.description ?? '',
    waitsFor: waitsForOf(node),
    entry: node.entry.map(nameOf),
    exit: node.exit.map(nameOf),
  };
}

function waitsForOf(node: StateNode): string | null {
  const meta: unknown = node.meta;
  const own = typeof meta === 'object' && meta !== null && 'waitsFor' in meta ? meta.waitsFor : undefined;
  if (typeof own === 'string') return own;
  return node.parent === undefined ? null : waitsForOf(node.parent);
}

/** Registered charts name every action and guard; otherwise it is one of XState's own. */
function nameOf(value: unknown): string {
  if (typeof value === 'string') return value;
  const isNamed = (typeof value === 'object' || typeof value === 'function') && value !== null && 'type' in value;
  return isNamed ? String(value.type) : 'inline';
}
