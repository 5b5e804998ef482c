import type { LogLevel } from '../log.ts';
import type { Cidr } from './cidr.ts';
import type { FixedRatesSetting } from './fixed-rates.ts';

/** Everything an operator decides, checked. Built once at start by `loadConfig` and passed down in parts. */
export interface Config {
  readonly host: string;
  /** 0 asks the operating system for any free port. */
  readonly port: number;
  /** Without a slash at its end; null stands for the address that is listened on. See `publicUrlOf`. */
  readonly publicUrl: string | null;
  /** Absolute path. */
  readonly dataDir: string;
  readonly database: {
    /** Null stands for the embedded database inside `dataDir`. */
    readonly url: string | null;
    readonly poolSize: number;
  };
  readonly nats: {
    /** Null stands for the bus inside this process. */
    readonly url: string | null;
    readonly prefix: string;
  };
  /** The live networks that are watched; empty when only test keys can be used. */
  readonly nodes: readonly NodeConfig[];
  readonly fixedRates: FixedRatesSetting | null;
  readonly webhooks: {
    /** Private addresses that webhooks may go to all the same. */
    readonly allowCidrs: readonly Cidr[];
    readonly allowHttp: boolean;
  };
  /** 32 bytes; null stands for the key file inside `dataDir`. */
  readonly secretsKey: Uint8Array | null;
  readonly logLevel: LogLevel;
  readonly roles: readonly Role[];
  /** Proxies whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly Cidr[];
}

/** The node that one coin's live payments are watched through. */
export interface NodeConfig {
  readonly symbol: WatchedCoin;
  readonly chain: 'bitcoin' | 'litecoin';
  readonly networkKind: NodeNetwork;
  /** May carry credentials: never put it into a message. */
  readonly rpcUrl: string;
}

/** The coins whose chains this version can watch. */
export const WATCHED_COINS = ['BTC', 'LTC'] as const;
export type WatchedCoin = (typeof WATCHED_COINS)[number];

/** Coins that have settings of the same form, refused until their chains can be watched. */
export const UNWATCHED_COINS = ['DOGE', 'DASH', 'ETH'] as const;
export type UnwatchedCoin = (typeof UNWATCHED_COINS)[number];

export const NODE_NETWORKS = ['mainnet', 'testnet', 'regtest'] as const;
export type NodeNetwork = (typeof NODE_NETWORKS)[number];

/** `api` answers HTTP, `worker` runs the actors, timers and webhooks, `watcher` follows the chains. */
export const ROLES = ['api', 'worker', 'watcher'] as const;
export type Role = (typeof ROLES)[number];
