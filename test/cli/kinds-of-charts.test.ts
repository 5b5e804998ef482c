import { describe, expect, test } from 'vitest';
import { createMachine } from 'xstate';
import { CHART_VERSIONS } from '../../machines/index.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { createKindRegistry, defineKind } from '../../src/platform/engine/index.ts';
import { createKinds, kindsOfCharts } from '../../src/service/kinds.ts';

const [v1, v2, other] = [chart('door', '1'), chart('door', '2'), chart('window', '1')];

describe('the charts of a process', () => {
  test('are all current charts, in order', () => {
    const kinds = createKinds({
      config: { plansEnabled: true, recurringMaxUnconfirmed: 200 },
      clock: systemClock,
      publicUrl: 'https://pay.example',
      tokens: () => '',
    });
    const names = [...new Set(CHART_VERSIONS.map(({ id }) => id))];
    expect(names.flatMap((name) => kinds.versions(name).map(({ machine }) => machine))).toEqual(
      names.flatMap((name) => CHART_VERSIONS.filter(({ id }) => id === name)),
    );
    expect(kinds.list().map(({ name }) => name)).toEqual(names);
  });

  test('have their order from the list, in whatever order their kinds are given', () => {
    const kinds = createKindRegistry(kindsOfCharts([v1, v2], [kindOf(v2), kindOf(v1)]));
    expect(kinds.get('door').version).toBe('2');
    expect(kinds.versions('door').map(({ version }) => version)).toEqual(['1', '2']);
  });

  test('fail to start when one of them has no kind', () => {
    expect(() => kindsOfCharts([v1, v2], [kindOf(v2)])).toThrow('Version 1 of the chart "door" has no kind');
  });

  test('fail to start when a kind has no current chart', () => {
    expect(() => kindsOfCharts([v1], [kindOf(v1), kindOf(other)])).toThrow('Version 1 of the chart "window" is not in');
  });
});

// Helpers

function chart(id: string, version: string) {
  return createMachine({ id, version, initial: 'shut', states: { shut: {} } });
}

function kindOf(machine: ReturnType<typeof chart>) {
  return defineKind<Record<never, never>>()({ machine, effects: {} });
}
