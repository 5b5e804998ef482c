import type { AnyStateMachine, ContextFrom } from 'xstate';
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
