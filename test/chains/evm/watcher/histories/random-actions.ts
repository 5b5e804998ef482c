import fc from 'fast-check';

/** What can happen to a chain of accounts and to its watcher. */

const SENDERS = 3;
const NONCES = 5;

/** What a transaction does to one owner's address, or from it to another. Owners are indexes. */
export interface Transfer {
  readonly kind:
    | 'coins'
    | 'token'
    | 'taxed token'
    | 'failed coins'
    | 'self'
    | 'nothing'
    | 'contract coins'
    | 'token and coins'
    | 'coins out'
    | 'token out'
    | 'failed out';
  readonly owner: number;
  readonly other: number;
}

/** An action outside the watcher. */
export type ChainAction =
  | { readonly kind: 'pay'; readonly sender: number; readonly nonce: number; readonly transfer: Transfer }
  | { readonly kind: 'mine'; readonly pick: number; readonly blocks: number }
  | { readonly kind: 'drop'; readonly pick: number }
  | { readonly kind: 'grant'; readonly owner: number }
  | { readonly kind: 'steal'; readonly owner: number; readonly isToken: boolean }
  | {
      readonly kind: 'reorg';
      readonly depth: number;
      readonly length: number;
      readonly pick: number;
      readonly returns: number;
    }
  | { readonly kind: 'rewind'; readonly depth: number; readonly returns: number }
  | { readonly kind: 'return to an earlier tip'; readonly pick: number }
  | { readonly kind: 'trace'; readonly traces: boolean | 'fails' }
  | { readonly kind: 'lag'; readonly lags: boolean; readonly pick: number };

export type Point = 'before accept' | 'after accept' | 'before drops' | 'after drops' | 'before save' | 'after save';

export type Action =
  | ChainAction
  | { readonly kind: 'poll' }
  | { readonly kind: 'poll while'; readonly call: number; readonly changes: readonly ChainAction[] }
  | { readonly kind: 'poll and fail'; readonly point: Point; readonly after: number; readonly restart: boolean }
  | { readonly kind: 'node fails'; readonly call: number }
  | { readonly kind: 'verify'; readonly pick: number; readonly required: number }
  | { readonly kind: 'verify and fail'; readonly pick: number; readonly point: Point; readonly after: number }
  | { readonly kind: 'rescan'; readonly from: number; readonly blocks: number }
  | { readonly kind: 'rescan and fail'; readonly from: number; readonly point: Point; readonly after: number }
  | { readonly kind: 'rescan while'; readonly call: number; readonly changes: readonly ChainAction[] }
  | { readonly kind: 'open' | 'close' | 'make due'; readonly owner: number }
  | { readonly kind: 'restart' };

/** Watched addresses, an unwatched one, and a watched one whose account opens and closes. */
export const ALWAYS_OPEN = 3;
export const SOMETIMES_OPEN = 3;
export const UNWATCHED = 4;

/**
 * Subset of actions in a history. Histories with all actions rarely combine three rare events, so
 * most contain only a few kinds.
 */
interface Theme {
  readonly transfers: readonly Transfer['kind'][];
  readonly lags: boolean;
  readonly traces: boolean;
  readonly steals: boolean;
}

const THEMES: readonly Theme[] = [
  {
    transfers: [
      'coins',
      'token',
      'taxed token',
      'failed coins',
      'self',
      'nothing',
      'contract coins',
      'token and coins',
      'coins out',
      'token out',
      'failed out',
    ],
    lags: true,
    traces: true,
    steals: true,
  },
  { transfers: ['token', 'taxed token', 'token out', 'token and coins'], lags: true, traces: false, steals: false },
  { transfers: ['coins', 'contract coins', 'coins out', 'failed out'], lags: false, traces: true, steals: false },
  { transfers: ['contract coins', 'token and coins'], lags: false, traces: true, steals: false },
];

/** Histories of up to 30 actions with one theme each. `size` keeps them from staying below ten. */
export const histories: fc.Arbitrary<Action[]> = fc
  .constantFrom(...THEMES)
  .chain((theme) => fc.array(actionOf(theme), { minLength: 1, maxLength: 30, size: 'max' }));

// Helpers

function actionOf(theme: Theme): fc.Arbitrary<Action> {
  const action = chainActionOf(theme);
  const meanwhile = fc.array(action, { minLength: 1, maxLength: 2 });
  const call = fc.nat({ max: 20 });
  const after = fc.nat({ max: 3 });
  const from = fc.nat({ max: 40 });
  const point = fc.constantFrom<Point>(
    'before accept',
    'after accept',
    'before drops',
    'after drops',
    'before save',
    'after save',
  );
  const pick = fc.nat({ max: 7 });
  return weighted<Action>(
    [8, action],
    [5, fc.constant({ kind: 'poll' as const })],
    [2, fc.record({ kind: fc.constant('poll while'), call, changes: meanwhile })],
    [2, fc.record({ kind: fc.constant('poll and fail'), point, after, restart: fc.boolean() })],
    [1, fc.record({ kind: fc.constant('node fails'), call })],
    [1, fc.record({ kind: fc.constant('verify'), pick, required: fc.integer({ min: 1, max: 4 }) })],
    [1, fc.record({ kind: fc.constant('verify and fail'), pick, point, after })],
    [1, fc.record({ kind: fc.constant('rescan'), from, blocks: fc.integer({ min: 1, max: 25 }) })],
    [1, fc.record({ kind: fc.constant('rescan and fail'), from, point, after })],
    [1, fc.record({ kind: fc.constant('rescan while'), call, changes: meanwhile })],
    [2, fc.record({ kind: fc.constantFrom('open', 'close', 'make due'), owner: fc.constant(SOMETIMES_OPEN) })],
    [1, fc.constant({ kind: 'restart' as const })],
  );
}

function chainActionOf(theme: Theme): fc.Arbitrary<ChainAction> {
  const owner = fc.nat({ max: UNWATCHED });
  const pick = fc.nat({ max: 255 });
  const returns = fc.nat({ max: 255 });
  const depth = fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 30 }));
  const blocks = fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 14 }));
  const sender = fc.nat({ max: SENDERS - 1 });
  const nonce = fc.nat({ max: NONCES - 1 });
  const transfer = fc.constantFrom(...theme.transfers).chain(transferOf);
  return weighted<ChainAction>(
    [8, fc.record({ kind: fc.constant('pay'), sender, nonce, transfer })],
    [4, fc.record({ kind: fc.constant('mine'), pick, blocks })],
    [1, fc.record({ kind: fc.constant('drop'), pick })],
    [theme.traces ? 1 : 0, fc.record({ kind: fc.constant('grant'), owner })],
    [theme.steals ? 1 : 0, fc.record({ kind: fc.constant('steal'), owner, isToken: fc.boolean() })],
    [3, fc.record({ kind: fc.constant('reorg'), depth, length: depth, pick, returns })],
    [1, fc.record({ kind: fc.constant('rewind'), depth, returns })],
    [1, fc.record({ kind: fc.constant('return to an earlier tip'), pick })],
    [
      theme.traces ? 2 : 0,
      fc.record({ kind: fc.constant('trace'), traces: fc.constantFrom(true, false, 'fails' as const) }),
    ],
    [theme.lags ? 4 : 0, fc.record({ kind: fc.constant('lag'), lags: fc.boolean(), pick })],
  );
}

function transferOf(kind: Transfer['kind']): fc.Arbitrary<Transfer> {
  const owner = fc.nat({ max: UNWATCHED });
  return fc.record({ kind: fc.constant(kind), owner, other: owner });
}

function weighted<T>(...parts: readonly (readonly [number, fc.Arbitrary<T>])[]): fc.Arbitrary<T> {
  return fc.oneof(...parts.map(([weight, arbitrary]) => ({ weight, arbitrary })));
}
