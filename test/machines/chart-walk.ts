import type { AnyStateMachine, StateNode } from 'xstate';

/** The contents of a chart, flattened for the tests of its form. */
export interface ChartForm {
  /** Dotted paths of every state except the root. */
  readonly states: readonly WrittenState[];
  readonly transitions: readonly WrittenTransition[];
  /** Names of actions and guards as the chart uses them; inline code shows up as `(inline)`. */
  readonly actionNames: readonly string[];
  readonly guardNames: readonly string[];
  /** Delayed transitions and invoked actors, which a pure chart must not have. */
  readonly impurities: readonly string[];
}

export interface WrittenState {
  readonly path: string;
  readonly isLeaf: boolean;
  readonly isFinal: boolean;
  readonly description: string | undefined;
  /** The state's own meta merged over that of its parents. */
  readonly meta: Readonly<Record<string, unknown>>;
}

export interface WrittenTransition {
  readonly from: string;
  readonly eventType: string;
  readonly guard: string | undefined;
  readonly description: string | undefined;
  readonly isTargetless: boolean;
}

export function readChart(machine: AnyStateMachine): ChartForm {
  const nodes = [machine.root as Node, ...descendants(machine.root as Node)];
  const transitions = nodes.flatMap((node) =>
    [...node.transitions.values(), node.always ?? []].flat().map((one) => ({ node, one })),
  );
  const actions = [
    ...nodes.flatMap((node) => [...node.entry, ...node.exit]),
    ...transitions.flatMap(({ one }) => [...one.actions]),
  ];
  return {
    states: nodes.filter((node) => node.parent !== undefined).map(written),
    transitions: transitions.map(({ node, one }) => ({
      from: node.path.join('.'),
      eventType: one.eventType,
      guard: one.guard === undefined ? undefined : nameOf(one.guard),
      description: one.description,
      isTargetless: one.target === undefined,
    })),
    actionNames: unique(actions.map(nameOf)),
    guardNames: unique(transitions.flatMap(({ one }) => (one.guard === undefined ? [] : [nameOf(one.guard)]))),
    impurities: nodes.flatMap((node) => [
      ...node.after.map((delayed) => `${node.id} has a delayed transition ${delayed.eventType}`),
      ...node.invoke.map((actor) => `${node.id} invokes ${actor.id}`),
    ]),
  };
}

// Helpers

type Node = StateNode;

function descendants(node: Node): Node[] {
  return Object.values(node.states).flatMap((child) => [child, ...descendants(child)]);
}

function written(node: Node): WrittenState {
  return {
    path: node.path.join('.'),
    isLeaf: Object.keys(node.states).length === 0,
    isFinal: node.type === 'final',
    description: node.description,
    meta: inheritedMeta(node),
  };
}

function inheritedMeta(node: Node): Record<string, unknown> {
  return { ...(node.parent ? inheritedMeta(node.parent) : {}), ...node.meta };
}

function nameOf(mention: unknown): string {
  if (typeof mention === 'string') return mention;
  const type = typeof mention === 'object' && mention !== null && 'type' in mention ? mention.type : undefined;
  return typeof type === 'string' ? type : '(inline)';
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)].sort();
}
