import { type AnyEventObject, type AnyMachineSnapshot, type AnyStateMachine, createActor } from 'xstate';

/** Computes the next snapshot and the requested actions of a chart. Executes nothing. */
export interface Stepper {
  start(input: unknown): Stepped;
  step(snapshot: AnyMachineSnapshot, event: AnyEventObject): Stepped;
}

export type Stepped = readonly [AnyMachineSnapshot, readonly Action[]];

interface Action {
  readonly type: string;
  readonly params?: unknown;
}

type Scope = Parameters<AnyStateMachine['transition']>[2];

/**
 * Returns what XState's `initialTransition` and `transition` return, at less cost: both create an
 * actor per call, and with it an initial snapshot that is discarded. Here one inert actor is shared
 * by all calls. It is never started; charts that need a running one (`invoke`, `spawn`, `sendTo`)
 * are rejected at registration. Journal replay uses XState's own functions, so the two are compared
 * continuously.
 */
export function createStepper(machine: AnyStateMachine): Stepper {
  const inert = inertScope(createActor(machine));
  const collect = (run: (scope: Scope) => AnyMachineSnapshot): Stepped => {
    const actions: Action[] = [];
    const snapshot = run({ ...inert, actionExecutor: (action) => void actions.push(action) });
    // XState copies the context by `Object.assign`. V8 makes the copy of more than some 16 fields a
    // hash table, ten times slower to copy again, unless a spread has copied such an object before.
    snapshot.context = { ...snapshot.context };
    return [snapshot, actions];
  };
  return {
    start: (input) => collect((scope) => machine.getInitialSnapshot(scope, input)),
    step: (snapshot, event) => collect((scope) => machine.transition(snapshot, event, scope)),
  };
}

/** The scope of an actor that is never started: its side effects are no-ops. */
export function inertScope(self: Scope['self']): Omit<Scope, 'actionExecutor'> {
  const nothing = () => {};
  return {
    self,
    system: self.system,
    id: '',
    sessionId: '',
    logger: nothing,
    defer: nothing,
    stopChild: nothing,
    emit: nothing,
  };
}
