import { type AnyEventObject, type AnyMachineSnapshot, type AnyStateMachine, createActor } from 'xstate';

/** The next snapshot of a chart and the actions it asks for. Runs nothing. */
export type Stepper = (snapshot: AnyMachineSnapshot, event: AnyEventObject) => [AnyMachineSnapshot, Action[]];

interface Action {
  readonly type: string;
  readonly params?: unknown;
}

/**
 * What XState's `transition(machine, snapshot, event)` gives, without its cost: that function builds a new actor for every
 * call, and with it the chart's initial snapshot, which is thrown away. Here one inert actor lends its identity to all
 * calls. It is never started; charts that would need a living one (`invoke`, `spawn`, `sendTo`) are refused at
 * registration. Replaying a journal uses XState's own function, so the two are compared all the time.
 */
export function createStepper(machine: AnyStateMachine): Stepper {
  const self = createActor(machine);
  const nothing = () => {};
  const inert = {
    self,
    system: self.system,
    id: '',
    sessionId: '',
    logger: nothing,
    defer: nothing,
    stopChild: nothing,
    emit: nothing,
  };
  return (snapshot, event) => {
    const actions: Action[] = [];
    const actionExecutor = (action: Action) => void actions.push(action);
    return [machine.transition(snapshot, event, { ...inert, actionExecutor }), actions];
  };
}
