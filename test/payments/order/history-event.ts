/** One event of a history while customers pay. */
export type HistoryEvent = ChainEvent | ServiceEvent;

export type ChainEvent =
  | (Paying & { readonly kind: 'pay'; readonly payment: number; readonly isShared: boolean })
  | (Paying & { readonly kind: 'replace'; readonly pick: number; readonly addsInput: boolean })
  | { readonly kind: 'pay elsewhere'; readonly pick: number }
  | { readonly kind: 'evict'; readonly pick: number }
  | { readonly kind: 'send again'; readonly pick: number }
  | Mining
  | Reorganising
  | { readonly kind: 'time passes'; readonly seconds: number }
  | NodeEvent;

/** The amount sent, in thousandths of what is due, and how it is sent. */
export interface Paying {
  readonly share: number;
  readonly way: Way;
}

/** Chains support some of these; any other counts as `directly`. */
export type Way = 'directly' | 'in two parts' | 'by contract';

export type Mining = { readonly kind: 'mine'; readonly mask: number };
export type Reorganising = {
  readonly kind: 'reorganise';
  readonly depth: 1 | 2;
  readonly mined: number;
  readonly returned: number;
  /**
   * Which of the undone transactions are replaced with the same coins, possibly with another amount
   * or in another way.
   */
  readonly replaced: number;
} & Paying;

/** How the node answers from then on. */
export type NodeEvent =
  | { readonly kind: 'tracing changes'; readonly traces: boolean | 'fails' }
  | { readonly kind: 'logs lag'; readonly mask: number | null }
  | { readonly kind: 'the mempool loads'; readonly isLoaded: boolean };

type ServiceEvent =
  | { readonly kind: 'poll'; readonly fails: 'before' | 'after' | null }
  | { readonly kind: 'poll while the chain moves'; readonly call: number; readonly moves: Mining | Reorganising }
  | { readonly kind: 'the watcher starts' }
  | { readonly kind: 'a worker starts'; readonly worker: number; readonly isAtOnce: boolean }
  | { readonly kind: 'the database ends its connections' }
  | { readonly kind: 'NATS restarts'; readonly isKilled: boolean }
  | { readonly kind: 'every account is due' }
  | { readonly kind: 'everything is processed' };
