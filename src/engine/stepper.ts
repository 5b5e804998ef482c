import { type AnyEventObject, type AnyMachineSnapshot, type AnyStateMachine, createActor } from 'xstate';

/**
 * What a chart makes of an input or an event: the next snapshot and the actions it asks for. Runs
 * nothing.
 */
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
 * Returns what XState's `initialTransition` and `transition` return, at less cost: both build an
 * actor for every call, and with it an initial snapshot that is thrown away. Here one inert actor
 * lends its identity to all calls. It is never started; charts that need a living one (`invoke`,
 * `spawn`, `sendTo`) are refused at registration. Replaying a journal uses XState's own functions,
 * so the two are compared all the time.
 */
export function createStepper(machine: AnyStateMachine): Stepper {
  const inert = inertScope(createActor(machine));
  const collect = (run: (scope: Scope) => AnyMachineSnapshot): Stepped => {
    const actions: Action[] = [];
    return [run({ ...inert, actionExecutor: (action) => void actions.push(action) }), actions];
  };
  return {
    start: (input) => collect((scope) => machine.getInitialSnapshot(scope, input)),
    step: (snapshot, event) => collect((scope) => machine.transition(snapshot, event, scope)),
  };
}

/** The scope of an actor that is never started: whatever a chart would have it do is ignored. */
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
