import fc from 'fast-check';
import type { HistoryEvent, Mining, Way } from './history-event.ts';

type Weighted<T> = fc.WeightedArbitrary<T>;

export interface HistoryOptions {
  readonly ways: readonly Way[];
  /**
   * Frequency of mining and reorganisations relative to other events: without a watched mempool,
   * nothing is seen before a block.
   */
  readonly blocks: number;
  /** Events that only this kind of chain has. */
  readonly also?: readonly Weighted<HistoryEvent>[];
}

export const PAYMENTS = 6;
const SHARES = [1, 500, 995, 1_000, 1_005, 1_100] as const;
const MAX_WHILE_OPEN = 25;
const MAX_AFTERWARDS = 35;
const WINDOW_SECONDS = 1_800;
const MAX_CALL = 20;

const share = fc.constantFrom(...SHARES);
const pick = fc.nat({ max: 40 });
/** A subset as a bit mask; often all. */
const mask = fc.oneof(fc.nat({ max: 255 }), fc.constant(255));
/** The same; often none as well. */
const anyMask = fc.oneof(mask, fc.constant(0));

const mine: fc.Arbitrary<Mining> = of({ kind: fc.constant('mine' as const), mask });
const poll = of({
  kind: fc.constant('poll' as const),
  fails: fc.constantFrom(null, null, null, 'before' as const, 'after' as const),
});

/** Events that any chain can have at any time, besides payments and blocks. */
const COMMON: readonly Weighted<HistoryEvent>[] = [
  { weight: 1, arbitrary: of({ kind: fc.constant('pay elsewhere' as const), pick }) },
  { weight: 4, arbitrary: of({ kind: fc.constant('evict' as const), pick }) },
  { weight: 4, arbitrary: of({ kind: fc.constant('send again' as const), pick }) },
  { weight: 2, arbitrary: passes(10, 60, 300) },
  { weight: 8, arbitrary: poll },
  { weight: 1, arbitrary: fc.constant({ kind: 'the watcher starts' as const }) },
  {
    weight: 1,
    arbitrary: of({
      kind: fc.constant('a worker starts' as const),
      worker: fc.nat({ max: 3 }),
      isAtOnce: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'the database ends its connections' as const }) },
  { weight: 1, arbitrary: of({ kind: fc.constant('NATS restarts' as const), isKilled: fc.boolean() }) },
  { weight: 2, arbitrary: fc.constant({ kind: 'everything is processed' as const }) },
];

/** Customers pay; then anything happens, the windows end, and anything happens for hours. */
export function createHistories({ ways, blocks, also = [] }: HistoryOptions): fc.Arbitrary<HistoryEvent[]> {
  const paying = { share, way: fc.constantFrom(...ways) };
  const pay = of({
    kind: fc.constant('pay' as const),
    payment: fc.nat({ max: PAYMENTS - 1 }),
    isShared: fc.nat({ max: 5 }).map((drawn) => drawn === 0),
    ...paying,
  });
  const replace = of({ kind: fc.constant('replace' as const), pick, addsInput: fc.boolean(), ...paying });
  const reorganise = of({
    kind: fc.constant('reorganise' as const),
    depth: fc.constantFrom(1 as const, 2 as const),
    mined: anyMask,
    returned: anyMask,
    replaced: anyMask,
    ...paying,
  });
  const pollWhile = of({
    kind: fc.constant('poll while the chain moves' as const),
    call: fc.nat({ max: MAX_CALL }),
    moves: fc.oneof(mine, reorganise),
  });
  const one = (arbitrary: fc.Arbitrary<HistoryEvent>) => fc.tuple(arbitrary);
  const anything = fc.oneof<Weighted<readonly HistoryEvent[]>[]>(
    { weight: 1, arbitrary: one(pay) },
    { weight: 4, arbitrary: one(replace) },
    { weight: blocks, arbitrary: one(mine) },
    { weight: blocks, arbitrary: one(reorganise) },
    // The shortest story of coins that are seen in one block and then in another one, or nowhere.
    { weight: blocks, arbitrary: fc.tuple(mine, poll, reorganise, mine, poll) },
    { weight: 2, arbitrary: one(pollWhile) },
    ...[...COMMON, ...also].map(({ weight, arbitrary }) => ({ weight, arbitrary: one(arbitrary) })),
  );
  const later = fc.oneof({ weight: 9, arbitrary: anything }, { weight: 1, arbitrary: one(passes(1_800, 7_200)) });
  return fc
    .tuple(
      createOpening(pay),
      fc.array(anything, { maxLength: MAX_WHILE_OPEN, size: 'max' }),
      passes(WINDOW_SECONDS),
      fc.array(later, { maxLength: MAX_AFTERWARDS, size: 'max' }),
    )
    .map(([pays, whileOpen, end, afterwards]) => [...pays, ...whileOpen.flat(), end, ...afterwards.flat()]);
}

// Helpers

/** Each customer pays once or twice, in any order. */
function createOpening(pay: fc.Arbitrary<Extract<HistoryEvent, { kind: 'pay' }>>): fc.Arbitrary<HistoryEvent[]> {
  return fc
    .tuple(...Array.from({ length: PAYMENTS }, () => fc.array(pay, { minLength: 1, maxLength: 2 })))
    .map((lists) => lists.flatMap((list, payment) => list.map((each) => ({ ...each, payment }))))
    .chain((pays) => fc.shuffledSubarray(pays, { minLength: pays.length }));
}

function of<T>(model: { readonly [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<T> {
  return fc.record(model) as fc.Arbitrary<T>;
}

function passes(...seconds: readonly number[]) {
  return of({ kind: fc.constant('time passes' as const), seconds: fc.constantFrom(...seconds) });
}
