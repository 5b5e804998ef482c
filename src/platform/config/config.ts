import type { Chain, Mode } from '../../../machines/index.ts';
import type { LogLevel } from '../log.ts';
import type { Cidr } from './cidr.ts';
import type { FixedRatesSetting } from './fixed-rates.ts';
import type { MailConfig } from './mail.ts';
import type { TokenContracts } from './parse-token-contracts.ts';
import type { RETENTION_SETTINGS } from './settings/retention.ts';

/** The validated configuration. Built once at startup by `loadConfig` and passed down in parts. */
export interface Config {
  readonly host: string;
  /** 0 lets the operating system choose a free port. */
  readonly port: number;
  /** Without a trailing slash; null means the listening address. See `publicUrlOf`. */
  readonly publicUrl: string | null;
  readonly monitor: {
    readonly host: string;
    /** 0 lets the operating system choose a free port; null disables the monitoring server. */
    readonly port: number | null;
  };
  /** Absolute path. */
  readonly dataDir: string;
  readonly database: {
    /** Null selects the embedded database inside `dataDir`. */
    readonly url: string | null;
    readonly poolSize: number;
    /** Whether `url` is a pooler in transaction mode, and if it supports prepared statements. */
    readonly pooler: 'none' | 'transaction' | 'transaction-prepared';
    /** Connection URL for migrations; null means `url`. */
    readonly migrationUrl: string | null;
    /** Whether startup migrates the schema or only checks it. */
    readonly migrates: boolean;
  };
  readonly nats: {
    /** Null selects the in-process bus. */
    readonly url: string | null;
    readonly prefix: string;
  };
  /** The nodes for live keys, then those for test keys. If empty, only simulated payments work. */
  readonly nodes: readonly NodeConfig[];
  /** The networks that test keys use. */
  readonly testMode: TestMode;
  readonly fixedRates: FixedRatesSetting | null;
  /** Public rate sources for live payments. */
  readonly rateSources: readonly RateSourceName[];
  readonly webhooks: {
    /** Private address blocks that webhooks may be sent to. */
    readonly allowCidrs: readonly Cidr[];
    readonly allowHttp: boolean;
    /** Ports below 1024 that webhooks may be sent to, in addition to 80 and 443. */
    readonly allowPorts: readonly number[];
  };
  /** Null: emails are stored but not sent. */
  readonly mail: MailConfig | null;
  /** Token for reporting email bounces; null disables that route. */
  readonly mailBounceSecret: string | null;
  /** 32 bytes; null means the key file inside `dataDir`. */
  readonly secretsKey: Uint8Array | null;
  /** The previous 32-byte key, still used to decrypt stored secrets; null when there is none. */
  readonly secretsKeyPrevious: Uint8Array | null;
  /** False: every merchant has the same unlimited plan. */
  readonly plansEnabled: boolean;
  /** Maximum open and unpaid payments per publishable key. */
  readonly payMaxOpen: number;
  /** Maximum of these per client: an IPv4 address or an IPv6 /56. */
  readonly payMaxOpenPerClient: number;
  /** Maximum emails per merchant within 24 hours to customers who have not confirmed. */
  readonly recurringMaxUnconfirmed: number;
  /** Whether anyone can create a merchant account. */
  readonly signUpOpen: boolean;
  /** Minutes for which a password stays valid for sensitive changes; 0 requires it every time. */
  readonly reauthMinutes: number;
  /** Name of the merchant that receives payments for plans; null when plans cannot be bought. */
  readonly operatorMerchant: string | null;
  /** Token for the detailed health report; null disables it. */
  readonly operatorToken: string | null;
  readonly logLevel: LogLevel;
  readonly traces: {
    /** May contain credentials: never include it in a message. Null disables tracing. */
    readonly url: string | null;
    /** Share of traces that are recorded, 0 to 1. */
    readonly sample: number;
  };
  readonly roles: readonly Role[];
  /** How long a stopping process still serves requests after it reports not ready. */
  readonly drainDelaySeconds: number;
  /** Proxies whose X-Forwarded-For header is trusted. */
  readonly trustedProxies: readonly Cidr[];
  /** Days after which a finished actor moves from the working tables to the archive. */
  readonly archiveAfterDays: number;
  readonly retention: RetentionDays;
}

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
  readonly networkKind: NodeNetwork;
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
  readonly networkKind: NodeNetwork;
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

export const NODE_NETWORKS = ['mainnet', 'testnet', 'regtest'] as const;
export type NodeNetwork = (typeof NODE_NETWORKS)[number];

/** Networks that test keys may use; coins on them have no value. */
export const TEST_NODE_NETWORKS = ['testnet', 'regtest'] as const satisfies readonly NodeNetwork[];

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
