import { describe, expect, test } from 'vitest';
import { createMachine, raise, setup } from 'xstate';
import { deliveryMachine, transactionMachine } from '../../../machines/index.ts';
import type { ActorKind } from '../../../src/platform/engine/index.ts';
import { createKindRegistry, durabilityProblems } from '../../../src/platform/engine/index.ts';
import { createLedgerKind } from '../../support/service/engine-charts.ts';

function kindOf(machine: ActorKind['machine'], effects: ActorKind['effects'] = {}): ActorKind {
  const reject = () => {
    throw new Error('the registry runs no chart');
  };
  const stepper = { start: reject, step: reject };
  return { name: machine.id, version: machine.version ?? '', machine, stepper, effects };
}

/** Handlers for every effect that a chart declares. */
function handlersFor(machine: ActorKind['machine']): ActorKind['effects'] {
  const declared = Object.entries(machine.implementations.actions);
  const effects = declared.filter(([, action]) => typeof action === 'function' && !('type' in action));
  return Object.fromEntries(effects.map(([name]) => [name, () => []]));
}

describe('the registry', () => {
  test.each([
    ['no version', createMachine({ id: 'm', initial: 'a', states: { a: {} } }), 'no version'],
    [
      '`after`',
      createMachine({ id: 'm', version: '1', initial: 'a', states: { a: { after: { 10: 'b' } }, b: {} } }),
      'state "a" uses `after`; use a timer effect instead',
    ],
    [
      '`invoke`',
      createMachine({ id: 'm', version: '1', initial: 'a', states: { a: { invoke: { src: 'something' } } } }),
      'state "a" uses `invoke`',
    ],
    [
      'parallel states',
      createMachine({ id: 'm', version: '1', type: 'parallel', states: { a: {}, b: {} } }),
      'the root is parallel',
    ],
    [
      'history states',
      createMachine({ id: 'm', version: '1', initial: 'a', states: { a: {}, h: { type: 'history' } } }),
      'state "h" is a history state',
    ],
    [
      'a raised event',
      createMachine({ id: 'm', version: '1', initial: 'a', states: { a: { entry: raise({ type: 'x' }) } } }),
      'state "a" uses `raise`; effects must be data',
    ],
    [
      'a spawned actor behind a name',
      (() => {
        const base = setup({ actors: { child: createMachine({}) } });
        return base
          .extend({ actions: { begin: base.spawnChild('child') } })
          .createMachine({ id: 'm', version: '1', on: { go: { actions: 'begin' } } });
      })(),
      'the root uses `spawnChild`',
    ],
    [
      'an inline function',
      createMachine({ id: 'm', version: '1', on: { go: { actions: () => {} } } }),
      'the root has an inline function as action',
    ],
    [
      'an undeclared action',
      createMachine({ id: 'm', version: '1', on: { go: { actions: 'nonesuch' } } }),
      'uses action "nonesuch", which is not declared',
    ],
    [
      'an effect without a handler',
      setup({ actions: { tell: () => {} } }).createMachine({ id: 'm', version: '1', on: { go: { actions: 'tell' } } }),
      'action "tell" is an effect without a handler',
    ],
  ])('rejects a chart with %s and names the place', (_, machine, problem) => {
    const register = () => createKindRegistry([kindOf(machine)]);
    expect(register).toThrow(expect.objectContaining({ code: 'CHART_NOT_DURABLE' }));
    expect(register).toThrow(problem);
  });

  test('rejects a handler for an effect that the chart does not have', () => {
    const machine = createMachine({ id: 'm', version: '1' });
    expect(durabilityProblems(kindOf(machine, { tell: () => [] }))).toEqual([
      'effect "tell" has a handler but is not declared in the chart',
    ]);
  });

  test.each([
    ['transaction', transactionMachine],
    ['delivery', deliveryMachine],
    ['ledger', createLedgerKind().machine],
  ])('accepts the %s chart', (_, machine) => {
    expect(durabilityProblems(kindOf(machine, handlersFor(machine)))).toEqual([]);
  });

  test('keeps several versions of one chart: actors keep theirs, new ones get the last', () => {
    const [first, second] = [createLedgerKind(), { ...createLedgerKind(), version: '2' }];
    const kinds = createKindRegistry([first, second]);
    expect([kinds.get('ledger'), kinds.get('ledger', '1'), kinds.get('ledger', '2'), kinds.get('ledger', '0')]).toEqual(
      [second, first, second, second],
    );
    expect(() => createKindRegistry([first, createLedgerKind()])).toThrow('version "1"');
    expect(() => kinds.get('nonesuch')).toThrow('nonesuch');
  });
});
