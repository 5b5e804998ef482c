import type { Chain } from '../../machines/index.ts';
import type { LogLevel } from '../log.ts';
import type { Cidr } from './cidr.ts';
import type { FixedRatesSetting } from './fixed-rates.ts';
import type { MailConfig } from './mail.ts';
import type { TokenContracts } from './token-contracts.ts';

/** Everything an operator decides, checked. Built once at start by `loadConfig` and passed down in parts. */
export interface Config {
  readonly host: string;
  /** 0 asks the operating system for any free port. */
  readonly port: number;
  /** Without a slash at its end; null stands for the address that is listened on. See `publicUrlOf`. */
  readonly publicUrl: string | null;
  readonly monitor: {
    readonly host: string;
    /** 0 asks the operating system for any free port; null: nothing is listened on. */
    readonly port: number | null;
  };
  /** Absolute path. */
  readonly dataDir: string;
  readonly database: {
    /** Null stands for the embedded database inside `dataDir`. */
    readonly url: string | null;
    readonly poolSize: number;
    /**
     * Whether `url` leads to a pooler in transaction mode, and whether that one carries prepared
     * statements.
     */
    readonly pooler: 'none' | 'transaction' | 'transaction-prepared';
    /** Where the schema is changed; null stands for `url`. */
    readonly migrationUrl: string | null;
    /** Whether a start changes the schema, or only checks it. */
    readonly migrates: boolean;
  };
  readonly nats: {
    /** Null stands for the bus inside this process. */
    readonly url: string | null;
    readonly prefix: string;
  };
  /** The nodes of live keys, then those of test keys. Empty: only simulated test payments are possible. */
  readonly nodes: readonly NodeConfig[];
  /** What payments of test keys use. */
  readonly testMode: TestMode;
  readonly fixedRates: FixedRatesSetting | null;
  /** Public sources that are asked for the rates of live payments. */
  readonly rateSources: readonly RateSourceName[];
  readonly webhooks: {
    /** Private addresses that webhooks may go to all the same. */
    readonly allowCidrs: readonly Cidr[];
    readonly allowHttp: boolean;
    /** Ports below 1024 that webhooks may go to, besides 80 and 443. */
    readonly allowPorts: readonly number[];
  };
  /** Null: mails are kept and not sent. */
  readonly mail: MailConfig | null;
  /** Lets in who tells of mails that came back; null: nobody may. */
  readonly mailBounceSecret: string | null;
  /** 32 bytes; null stands for the key file inside `dataDir`. */
  readonly secretsKey: Uint8Array | null;
  /** 32 bytes that stored secrets may still be sealed with; null when there is no other key. */
  readonly secretsKeyPrevious: Uint8Array | null;
  /** False: everybody has one plan without limits. */
  readonly plansEnabled: boolean;
  /** Open and unpaid payments that each publishable key may have. */
  readonly payMaxOpen: number;
  /** How many of them clients of one network may have. */
  readonly payMaxOpenPerClient: number;
  /** Mails to customers who have not confirmed that each merchant may send within 24 hours. */
  readonly recurringMaxUnconfirmed: number;
  /** Whether anybody can make a merchant account. */
  readonly signUpOpen: boolean;
  /** Minutes for which a password that was given counts for what moves money; 0 asks every time. */
  readonly reauthMinutes: number;
  /** Name of the merchant that plans are paid to; null when none can be bought. */
  readonly operatorMerchant: string | null;
  /** Opens the details of health; null closes them. */
  readonly operatorToken: string | null;
  readonly logLevel: LogLevel;
  readonly traces: {
    /** May carry credentials: never put it into a message. Null: nothing is traced. */
    readonly url: string | null;
    /** Share of traces that are recorded, 0 to 1. */
    readonly sample: number;
  };
  readonly roles: readonly Role[];
  /** How long a stop goes on serving requests after it has begun to say that it is not ready. */
  readonly drainDelaySeconds: number;
  /** Proxies whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly Cidr[];
  /** How long an actor that has come to its end stays where those that run are. */
  readonly archiveAfterDays: number;
  readonly retention: RetentionDays;
}

/** Days that things are kept after they have come to their end; null: for ever. */
export interface RetentionDays {
  readonly webhookAttempts: number | null;
  readonly webhookEvents: number | null;
  readonly mails: number | null;
  readonly notices: number | null;
  readonly deadLetters: number | null;
  readonly runs: number | null;
  readonly sessions: number | null;
  readonly audit: number | null;
  readonly archive: number | null;
}

/** What payments of one mode on one chain are watched through. A new family fails to compile where it is not handled. */
export type NodeConfig = UtxoNodeConfig | EvmNodeConfig;

/** Whose payments a node carries: those of live keys or those of test keys. The two never share a network. */
export type NodeMode = 'live' | 'test';

/** What test keys use: the built-in simulation, or the test networks of the nodes with mode `test`. */
export const TEST_MODES = ['simulated', 'onchain'] as const;
export type TestMode = (typeof TEST_MODES)[number];

/** The node of a chain of the Bitcoin family: one chain, one coin. */
export interface UtxoNodeConfig {
  readonly family: 'utxo';
  readonly mode: NodeMode;
  readonly symbol: UtxoCoin;
  readonly chain: Chain;
  /** Never `mainnet` for a node of test keys. */
  readonly networkKind: NodeNetwork;
  /** May carry credentials: never put it into a message. */
  readonly rpcUrl: string;
  /** Where the node publishes news of blocks and transactions; null when only polling tells. */
  readonly zmqUrl: string | null;
}

/** The nodes of an account-based chain, which carries its coin and every token. */
export interface EvmNodeConfig {
  readonly family: 'evm';
  readonly mode: NodeMode;
  readonly symbol: EvmCoin;
  readonly chain: Chain;
  /** Never `mainnet` for a node of test keys. */
  readonly networkKind: NodeNetwork;
  /** In order of preference. They may carry credentials: never put them into a message. */
  readonly rpcUrls: readonly [string, ...string[]];
  /** Contracts of the operator's choice, before those that are built in. */
  readonly tokens: TokenContracts;
}

/** The coins of chains of the Bitcoin family. */
export const UTXO_COINS = ['BTC', 'LTC', 'DOGE', 'DASH'] as const;
export type UtxoCoin = (typeof UTXO_COINS)[number];

/** The coins of account-based chains. */
export const EVM_COINS = ['ETH'] as const;
export type EvmCoin = (typeof EVM_COINS)[number];

export const NODE_NETWORKS = ['mainnet', 'testnet', 'regtest'] as const;
export type NodeNetwork = (typeof NODE_NETWORKS)[number];

/** Networks that test keys may use: coins there have no value. */
export const TEST_NODE_NETWORKS = ['testnet', 'regtest'] as const satisfies readonly NodeNetwork[];

/** The beginning of the names of a node's settings, like `LTC` or `TEST_LTC`. */
export function settingPrefix({ mode, symbol }: Pick<NodeConfig, 'mode' | 'symbol'>): string {
  return mode === 'test' ? `TEST_${symbol}` : symbol;
}

/** The public sources of rates, none of which needs a key. */
export const RATE_SOURCE_NAMES = ['kraken', 'coinbase', 'binance', 'coingecko', 'ecb'] as const;
export type RateSourceName = (typeof RATE_SOURCE_NAMES)[number];

/** `api` answers HTTP, `worker` runs the actors, timers and webhooks, `watcher` follows the chains. */
export const ROLES = ['api', 'worker', 'watcher'] as const;
export type Role = (typeof ROLES)[number];
