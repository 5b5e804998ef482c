import fc from 'fast-check';

/** What happens to the chain and to the service, step by step, while `PAYMENTS` customers pay. */
export type Happening =
  | { readonly kind: 'pay'; readonly payment: number; readonly share: Share }
  | { readonly kind: 'replace'; readonly pick: number; readonly share: Share; readonly addsInput: boolean }
  | { readonly kind: 'pay elsewhere'; readonly pick: number }
  | { readonly kind: 'evict'; readonly pick: number }
  | { readonly kind: 'send again'; readonly pick: number }
  | { readonly kind: 'mine'; readonly mask: number }
  | { readonly kind: 'reorganise'; readonly depth: 1 | 2; readonly mined: number; readonly returned: number }
  | { readonly kind: 'time passes'; readonly seconds: number }
  | { readonly kind: 'look'; readonly fails: 'before' | 'after' | null }
  | { readonly kind: 'look while the chain moves'; readonly call: number; readonly mask: number }
  | { readonly kind: 'the watcher starts' }
  | { readonly kind: 'a worker starts'; readonly place: number; readonly isAtOnce: boolean }
  | { readonly kind: 'everything is processed' };

/** How much of what is due is sent, in thousandths. */
export type Share = (typeof SHARES)[number];
const SHARES = [1, 500, 995, 1_000, 1_005, 1_100] as const;

export const PAYMENTS = 6;
const MAX_HAPPENINGS = 60;

const share = fc.constantFrom(...SHARES);
const pick = fc.nat({ max: 40 });
const mask = fc.nat({ max: 255 });

const happening: fc.Arbitrary<Happening> = fc.oneof(
  weighted(6, { kind: fc.constant('pay' as const), payment: fc.nat({ max: PAYMENTS - 1 }), share }),
  weighted(4, { kind: fc.constant('replace' as const), pick, share, addsInput: fc.boolean() }),
  weighted(1, { kind: fc.constant('pay elsewhere' as const), pick }),
  weighted(3, { kind: fc.constant('evict' as const), pick }),
  weighted(2, { kind: fc.constant('send again' as const), pick }),
  weighted(4, { kind: fc.constant('mine' as const), mask }),
  weighted(3, {
    kind: fc.constant('reorganise' as const),
    depth: fc.constantFrom(1 as const, 2 as const),
    mined: mask,
    returned: mask,
  }),
  weighted(4, { kind: fc.constant('time passes' as const), seconds: fc.constantFrom(10, 300, 900, 1_800) }),
  weighted(8, {
    kind: fc.constant('look' as const),
    fails: fc.constantFrom(null, null, null, 'before' as const, 'after' as const),
  }),
  weighted(2, { kind: fc.constant('look while the chain moves' as const), call: fc.nat({ max: 10 }), mask }),
  weighted(1, { kind: fc.constant('the watcher starts' as const) }),
  weighted(1, {
    kind: fc.constant('a worker starts' as const),
    place: fc.nat({ max: 3 }),
    isAtOnce: fc.boolean(),
  }),
  weighted(2, { kind: fc.constant('everything is processed' as const) }),
);

/** Any history; most of its payments are made by the first steps, while their windows are open. */
export const history: fc.Arbitrary<Happening[]> = fc.array(happening, {
  minLength: 1,
  maxLength: MAX_HAPPENINGS,
  size: 'max',
});

// Helpers

function weighted<T>(weight: number, model: { readonly [K in keyof T]: fc.Arbitrary<T[K]> }) {
  return { weight, arbitrary: fc.record(model) as fc.Arbitrary<T> };
}
