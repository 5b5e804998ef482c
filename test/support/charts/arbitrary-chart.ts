import fc from 'fast-check';
import type {
  FoldableChart,
  StateDescription,
  TransitionDescription,
} from '../../../src/http/console/contract/charts.ts';
import { level } from '../run/level.ts';

/** The time of a layout grows faster than the size of its chart. */
const MAX_STATES = level.pick({ quick: 8, full: 25 });
const MAX_TRANSITIONS = level.pick({ quick: 16, full: 60 });
const MAX_DEPTH = 3;

const word = fc.constantFrom(
  'open',
  'awaitingConfirmation',
  'i',
  'paid',
  'W'.repeat(30),
  'zażółć',
  '支付',
  'a_b',
  'to',
);
const event = fc.constantFrom('always', 'timer.window_closed', 'chain.seen', 'merchant.redelivery_requested', 'x');

/** Charts of any shape, up to three states deep, including self-loops and unreachable states. */
export const arbitraryChart: fc.Arbitrary<FoldableChart> = fc
  .record({
    seeds: fc.array(
      fc.record({ word, parent: fc.nat(), isFinal: fc.boolean(), isInitial: fc.boolean(), waits: fc.boolean() }),
      { minLength: 1, maxLength: MAX_STATES },
    ),
    links: fc.array(
      fc.record({ from: fc.nat(), to: fc.option(fc.nat(), { freq: 4 }), event, guard: fc.option(word) }),
      { maxLength: MAX_TRANSITIONS },
    ),
  })
  .map(({ seeds, links }) => {
    const states = statesOf(seeds);
    return { kind: 'arbitrary', version: '1', description: '', states, transitions: transitionsOf(links, states) };
  });

// Helpers

interface StateSeed {
  readonly word: string;
  readonly parent: number;
  readonly isFinal: boolean;
  readonly isInitial: boolean;
  readonly waits: boolean;
}

/** Each seed becomes a child of an earlier state that may still have children. */
function statesOf(seeds: readonly StateSeed[]): StateDescription[] {
  const root: StateDescription = { ...plain(''), type: 'compound' };
  const states = [root];
  for (const [position, { word: name, parent, isFinal, isInitial, waits }] of seeds.entries()) {
    const parents = states.filter(({ path, type }) => type !== 'final' && depthOf(path) < MAX_DEPTH);
    const under = parents[parent % parents.length] ?? root;
    const path = `${under.path === '' ? '' : `${under.path}.`}${name}${position}`;
    const siblings = states.filter((state) => state.parent === under.path);
    states.push({
      ...plain(path),
      parent: under.path,
      type: isFinal ? 'final' : 'atomic',
      isInitial: isInitial && siblings.every((sibling) => !sibling.isInitial),
      waitsFor: waits && !isFinal ? 'customer' : null,
    });
  }
  return states.map((state) =>
    states.some(({ parent }) => parent === state.path) ? { ...state, type: 'compound' } : state,
  );
}

function plain(path: string): StateDescription {
  return {
    path,
    parent: null,
    type: 'atomic',
    isInitial: false,
    description: '',
    waitsFor: null,
    entry: [],
    exit: [],
  };
}

function depthOf(path: string): number {
  return path === '' ? 0 : path.split('.').length;
}

function transitionsOf(
  links: readonly { from: number; to: number | null; event: string; guard: string | null }[],
  states: readonly StateDescription[],
): TransitionDescription[] {
  return links.map((link, position) => ({
    id: `t${position}`,
    from: states[link.from % states.length]?.path ?? '',
    to: link.to === null ? null : (states[link.to % states.length]?.path ?? ''),
    event: link.event,
    guard: link.guard,
    actions: [],
    order: position,
  }));
}
