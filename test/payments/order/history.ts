import fc from 'fast-check';

/** What happens step by step, while `PAYMENTS` customers pay. */
export type Happening = ChainHappening | ServiceHappening;

export type ChainHappening =
  | { readonly kind: 'pay'; readonly payment: number; readonly share: Share }
  | { readonly kind: 'replace'; readonly pick: number; readonly share: Share; readonly addsInput: boolean }
  | { readonly kind: 'pay elsewhere'; readonly pick: number }
  | { readonly kind: 'evict'; readonly pick: number }
  | { readonly kind: 'send again'; readonly pick: number }
  | { readonly kind: 'mine'; readonly mask: number }
  | { readonly kind: 'reorganise'; readonly depth: 1 | 2; readonly mined: number; readonly returned: number }
  | { readonly kind: 'time passes'; readonly seconds: number };

type ServiceHappening =
  | { readonly kind: 'look'; readonly fails: 'before' | 'after' | null }
  | { readonly kind: 'look while the chain moves'; readonly call: number; readonly mask: number }
  | { readonly kind: 'the watcher starts' }
  | { readonly kind: 'a worker starts'; readonly place: number; readonly isAtOnce: boolean }
  | { readonly kind: 'everything is processed' };

/** How much of what is due is sent, in thousandths. */
export type Share = (typeof SHARES)[number];
const SHARES = [1, 500, 995, 1_000, 1_005, 1_100] as const;

export const PAYMENTS = 6;
const MAX_WHILE_OPEN = 25;
const MAX_AFTERWARDS = 35;
const WINDOW_SECONDS = 1_800;

const share = fc.constantFrom(...SHARES);
const pick = fc.nat({ max: 40 });
const mask = fc.nat({ max: 255 });

const pay = of({ kind: fc.constant('pay' as const), payment: fc.nat({ max: PAYMENTS - 1 }), share });
const look = of({
  kind: fc.constant('look' as const),
  fails: fc.constantFrom(null, null, null, 'before' as const, 'after' as const),
});
const replace = of({ kind: fc.constant('replace' as const), pick, share, addsInput: fc.boolean() });

/** What may happen at any time. */
const anything: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 1, arbitrary: pay },
  { weight: 4, arbitrary: replace },
  { weight: 1, arbitrary: of({ kind: fc.constant('pay elsewhere' as const), pick }) },
  { weight: 4, arbitrary: of({ kind: fc.constant('evict' as const), pick }) },
  { weight: 4, arbitrary: of({ kind: fc.constant('send again' as const), pick }) },
  { weight: 2, arbitrary: of({ kind: fc.constant('mine' as const), mask }) },
  {
    weight: 2,
    arbitrary: of({
      kind: fc.constant('reorganise' as const),
      depth: fc.constantFrom(1 as const, 2 as const),
      mined: mask,
      returned: mask,
    }),
  },
  { weight: 2, arbitrary: passes(10, 60, 300) },
  { weight: 8, arbitrary: look },
  {
    weight: 2,
    arbitrary: of({ kind: fc.constant('look while the chain moves' as const), call: fc.nat({ max: 10 }), mask }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'the watcher starts' as const }) },
  {
    weight: 1,
    arbitrary: of({ kind: fc.constant('a worker starts' as const), place: fc.nat({ max: 3 }), isAtOnce: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.constant({ kind: 'everything is processed' as const }) },
);

/** Each customer pays once or twice, in any order. */
const opening: fc.Arbitrary<Happening[]> = fc
  .tuple(...Array.from({ length: PAYMENTS }, () => fc.array(share, { minLength: 1, maxLength: 2 })))
  .map((shares) =>
    shares.flatMap((sent, payment) => sent.map((each) => ({ kind: 'pay', payment, share: each }) as const)),
  )
  .chain((pays) => fc.shuffledSubarray(pays, { minLength: pays.length }));

/** Customers pay; then anything happens, the windows end, and anything happens for hours. */
export const history: fc.Arbitrary<Happening[]> = fc
  .tuple(
    opening,
    fc.array(anything, { maxLength: MAX_WHILE_OPEN, size: 'max' }),
    passes(WINDOW_SECONDS),
    fc.array(fc.oneof({ weight: 9, arbitrary: anything }, { weight: 1, arbitrary: passes(1_800, 7_200) }), {
      maxLength: MAX_AFTERWARDS,
      size: 'max',
    }),
  )
  .map(([pays, whileOpen, end, afterwards]) => [...pays, ...whileOpen, end, ...afterwards]);

// Helpers

function of<T>(model: { readonly [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<T> {
  return fc.record(model) as fc.Arbitrary<T>;
}

function passes(...seconds: readonly number[]) {
  return of({ kind: fc.constant('time passes' as const), seconds: fc.constantFrom(...seconds) });
}
