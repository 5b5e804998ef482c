import type { Chain, Mode } from '../../../machines/index.ts';
import type { NetworkKind } from '../network-kind.ts';
import type { TokenContracts } from './parse-token-contracts.ts';
import type { RETENTION_SETTINGS } from './settings/retention.ts';

/** Retention in days, counted from the end of each item; null keeps it forever. */
export type RetentionDays = { readonly [K in keyof typeof RETENTION_SETTINGS]: number | null };

/** The node or nodes for payments of one mode on one chain. Unhandled families fail to compile. */
export type NodeConfig = UtxoNodeConfig | EvmNodeConfig;

/** Networks of test keys: the built-in simulation, or those of nodes with mode `test`. */
export const TEST_MODES = ['simulated', 'onchain'] as const;
export type TestMode = (typeof TEST_MODES)[number];

/** The node of a Bitcoin-like chain, which has one coin. */
export interface UtxoNodeConfig {
  readonly family: 'utxo';
  /** Nodes for live keys and for test keys never share a network. */
  readonly mode: Mode;
  readonly symbol: UtxoCoin;
  readonly chain: Chain;
  /** Never `mainnet` for a node with mode `test`. */
  readonly networkKind: NetworkKind;
  /** May contain credentials: never include it in a message. */
  readonly rpcUrl: string;
  /** The node's ZeroMQ endpoint for block and transaction notifications; null for polling only. */
  readonly zmqUrl: string | null;
}

/** The nodes of an account-based chain, for its coin and every token. */
export interface EvmNodeConfig {
  readonly family: 'evm';
  readonly mode: Mode;
  readonly symbol: EvmCoin;
  readonly chain: Chain;
  /** Never `mainnet` for a node with mode `test`. */
  readonly networkKind: NetworkKind;
  /** In order of preference. May contain credentials: never include them in a message. */
  readonly rpcUrls: readonly [string, ...string[]];
  /** Token contracts set by the operator; they override the built-in ones. */
  readonly tokens: TokenContracts;
}

/** The coins of Bitcoin-like chains. */
export const UTXO_COINS = ['BTC', 'LTC', 'DOGE', 'DASH'] as const;
export type UtxoCoin = (typeof UTXO_COINS)[number];

/** The coins of account-based chains. */
export const EVM_COINS = ['ETH'] as const;
export type EvmCoin = (typeof EVM_COINS)[number];

/** Networks that test keys may use; coins on them have no value. */
export const TEST_NODE_NETWORKS = ['testnet', 'regtest'] as const satisfies readonly NetworkKind[];

/** The prefix of a node's settings: its symbol, after `TEST_` for test keys. */
export function settingPrefix({ mode, symbol }: Pick<NodeConfig, 'mode' | 'symbol'>): string {
  return mode === 'test' ? `TEST_${symbol}` : symbol;
}

/** The public rate sources; none needs an API key. */
export const RATE_SOURCE_NAMES = ['kraken', 'coinbase', 'binance', 'coingecko', 'ecb'] as const;
export type RateSourceName = (typeof RATE_SOURCE_NAMES)[number];

/** `api` serves HTTP, `worker` runs actors, timers and webhooks, `watcher` syncs the chains. */
export const ROLES = ['api', 'worker', 'watcher'] as const;
export type Role = (typeof ROLES)[number];
