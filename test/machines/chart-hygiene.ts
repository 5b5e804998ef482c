import { expect, it } from 'vitest';
import type { AnyStateMachine } from 'xstate';
import { readChart } from './chart-walk.ts';

/** Tests for the formal rules that every chart keeps. Call inside a `describe`. */
export function itKeepsTheRulesOfForm(machine: AnyStateMachine, eventSources: readonly string[]): void {
  const chart = readChart(machine);

  it('names every action and guard, so that the chart itself contains no code', () => {
    expect(chart.actionNames).not.toContain('(inline)');
    expect(chart.guardNames).not.toContain('(inline)');
    expect(chart.actionNames.length).toBeGreaterThan(0);
  });

  it('refers only to actions and guards that exist, and to every guard that exists', () => {
    expect(Object.keys(machine.implementations.actions)).toEqual(expect.arrayContaining([...chart.actionNames]));
    expect(Object.keys(machine.implementations.guards).sort()).toEqual(chart.guardNames);
  });

  it('has no delays, invocations or spawned actors: timers are effects', () => {
    expect(chart.impurities).toEqual([]);
    expect(Object.keys(machine.implementations.actors)).toEqual([]);
    expect(Object.keys(machine.implementations.delays)).toEqual([]);
  });

  it('prefixes events with their source', () => {
    const events = chart.transitions.map((transition) => transition.eventType).filter((type) => type !== '');
    for (const type of events) expect(eventSources).toContain(type.split('.')[0]);
  });

  it('describes every state, and says of every one that is not final what it waits for', () => {
    expect(chart.states.filter((state) => (state.description ?? '').length < 10).map((state) => state.path)).toEqual(
      [],
    );
    const leaves = chart.states.filter((state) => state.isLeaf);
    expect(leaves.filter(({ meta, isFinal }) => (meta.waitsFor === undefined) !== isFinal)).toEqual([]);
  });

  it('has an id and a version, under which snapshots are stored', () => {
    expect(machine.id).toMatch(/^[a-z]+$/);
    expect(machine.version).toMatch(/^\d+$/);
  });
}
