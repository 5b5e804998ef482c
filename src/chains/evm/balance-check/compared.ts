import type { CryptoSymbol, UnixMs } from '../../../../machines/index.ts';
import type { OpenAccount, WatcherStore } from '../../port.ts';
import type { EvmNode } from '../node/evm-node.ts';

/** Dependencies and parameters of a balance comparison, for native coin and tokens alike. */
export interface BalanceCheckDeps {
  readonly node: EvmNode;
  readonly store: WatcherStore;
  readonly network: string;
  readonly asset: CryptoSymbol;
  /** A token balance difference younger than this may be due to a late log. */
  readonly lateLogMs: number;
  /** Never earlier than the newest block: a long poll may end at blocks dated after its start. */
  readonly now: UnixMs;
  /** The batch ends at the head of the chain. */
  readonly isHead: boolean;
  readonly logInfo: (fields: object, message: string) => void;
}

/** One account at the end of a batch. */
export interface Compared {
  readonly account: OpenAccount;
  /**
   * The expected balance at the start of the batch; if that is unknown, the real balance at the end
   * minus the flows.
   */
  readonly base: bigint;
  readonly realBaseUnits: bigint;
  readonly expectedBaseUnits: bigint;
}

/** The expected balance of an account from now on. */
export interface NewExpectedBalance {
  readonly account: OpenAccount;
  readonly baseUnits: bigint;
}
