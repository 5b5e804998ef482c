import { type AnyEventObject, type AnyTransitionDefinition, createActor } from 'xstate';
import { nodesWithin, pathOf, type StateNode, transitionsOf } from './describe-chart.ts';
import { inertScope } from './stepper.ts';
import type { ActorKind, Effect, Snapshot } from './types.ts';

/** The details of one chart step, in addition to the resulting snapshot. */
export interface TracedStep {
  readonly snapshot: Snapshot;
  readonly effects: readonly Effect[];
  /**
   * Ids of the transitions taken, in order, including `always` ones. Same ids as in
   * `describeChart`.
   */
  readonly taken: readonly string[];
  /** Paths of the states entered, in order. */
  readonly entered: readonly string[];
}

export interface StepTracer {
  start(input: unknown): TracedStep;
  step(snapshot: Snapshot, event: AnyEventObject): TracedStep;
}

/**
 * Steps a chart like `createStepper`, and records transitions with XState's inspection, so that the
 * result shows what was executed and not a second interpretation of the chart. Slower; for
 * inspecting past steps only.
 */
export function createStepTracer({ machine }: Pick<ActorKind, 'machine'>): StepTracer {
  const names = new Map<AnyTransitionDefinition, string>();
  for (const node of nodesWithin(machine.root)) {
    for (const { definition, description } of transitionsOf(node)) names.set(definition, description.id);
  }
  let microsteps: Microstep[] = [];
  const self = createActor(machine, {
    inspect(inspected) {
      if (inspected.type !== '@xstate.microstep') return;
      microsteps.push({ snapshot: inspected.snapshot as Snapshot, transitions: inspected._transitions });
    },
  });
  const inert = inertScope(self);

  function trace(before: readonly string[], run: (scope: Scope) => Snapshot): TracedStep {
    microsteps = [];
    const effects: Effect[] = [];
    const actionExecutor = (action: { type: string; params?: unknown }) => {
      effects.push({ type: action.type, params: action.params });
    };
    const snapshot = run({ ...inert, actionExecutor });
    const transitions = microsteps.flatMap((each) => each.transitions);
    const taken = transitions.flatMap((each) => names.get(each) ?? []);
    return { snapshot, effects, taken, entered: enteredBy(before, microsteps) };
  }

  return {
    start(input) {
      const opening = initialPaths(machine.root);
      const traced = trace(opening, (scope) => machine.getInitialSnapshot(scope, input));
      return { ...traced, entered: [...opening, ...traced.entered] };
    },
    step: (snapshot, event) =>
      trace(activePaths(snapshot), (scope) => machine.transition(snapshot, event, scope) as Snapshot),
  };
}

// Helpers

type Scope = Parameters<ActorKind['machine']['transition']>[2];

interface Microstep {
  readonly snapshot: Snapshot;
  readonly transitions: readonly AnyTransitionDefinition[];
}

/** A state is entered when it becomes active, or when a transition names it as its target again. */
function enteredBy(before: readonly string[], microsteps: readonly Microstep[]): string[] {
  let active = before;
  return microsteps.flatMap(({ snapshot, transitions }) => {
    const now = activePaths(snapshot);
    const targets = transitions.flatMap((each) => (each.target ?? []).map(pathOf));
    const entered = now.filter((path) => !active.includes(path) || targets.includes(path));
    active = now;
    return entered;
  });
}

/** From the outermost state to the leaf, without the root. */
function activePaths({ value }: Pick<Snapshot, 'value'>): string[] {
  const paths: string[] = [];
  let rest: unknown = value;
  let above = '';
  while (rest !== undefined) {
    const step: string | undefined = typeof rest === 'string' ? rest : Object.keys(rest as object)[0];
    if (step === undefined) break;
    above = above === '' ? step : `${above}.${step}`;
    paths.push(above);
    rest = typeof rest === 'string' ? undefined : (rest as Record<string, unknown>)[step];
  }
  return paths;
}

function initialPaths(root: StateNode): string[] {
  const paths: string[] = [];
  for (let node = root.initial?.target[0]; node !== undefined; node = node.initial?.target[0]) paths.push(pathOf(node));
  return paths;
}
