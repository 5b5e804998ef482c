import type { CryptoSymbol, UnixMs } from '../../../machines/index.ts';
import type { OpenAccount, WatcherStore } from '../port.ts';
import type { EvmNode } from './evm-node.ts';

/** What comparing balances needs to know, of coins and tokens alike. */
export interface SweepDeps {
  readonly node: EvmNode;
  readonly store: WatcherStore;
  readonly network: string;
  readonly asset: CryptoSymbol;
  /** A difference of a token's balance that is younger than this may be a late log. */
  readonly lateLogMs: number;
  /** No earlier than the newest block: a look that takes long ends at blocks that are younger than its start. */
  readonly now: UnixMs;
  /** The part ends at the head of the chain. */
  readonly isHead: boolean;
  readonly tell: (fields: object, message: string) => void;
}

/** One account at the end of a part. */
export interface Compared {
  readonly account: OpenAccount;
  /**
   * The balance at the start of the part; when that is not known, the real balance at the end minus
   * the flows.
   */
  readonly base: bigint;
  readonly realBaseUnits: bigint;
  readonly expectedBaseUnits: bigint;
}

/** What an account should hold from now on. */
export interface Settled {
  readonly account: OpenAccount;
  readonly baseUnits: bigint;
}
