import { SECOND_MS } from '../../../machines/index.ts';
import {
  type AddressHistory,
  type ConnectedEvmNode,
  createEvmFees,
  createEvmHistory,
  createEvmNode,
  createEvmWatcher,
  evmChain,
  observedSink,
  type TokenTable,
} from '../../chains/index.ts';
import {
  createAccountReader,
  createBalanceDropSink,
  createObservationSink,
  createWatcherStore,
  createWatchSet,
} from '../../payments/index.ts';
import { type EvmNodeConfig, settingPrefix } from '../../platform/config/index.ts';
import { type NetworkKind, networkName } from '../../wallets/index.ts';
import { tokensOf } from '../payment-networks-of.ts';
import type { ChainWatcher, ChainWatcherDeps } from './chain-watcher.ts';
import { type CreatedWatcher, createLazyWatcher } from './lazy-watcher.ts';
import { createTokenVerification } from './verified-tokens.ts';

/** Blocks arrive every 12 seconds and none is lost by polling later; providers count requests. */
const POLL_MS: { readonly [K in NetworkKind]: number } = {
  mainnet: 2 * SECOND_MS,
  testnet: 2 * SECOND_MS,
  regtest: SECOND_MS / 4,
};

/**
 * A watcher of an account-based chain. Before the first poll it reads the decimals of its token
 * contracts. Tokens that do not match are not watched and reported as warnings; the others are
 * watched.
 */
export function createEvmChainWatcher(
  { runtime, db, clock, log, publicUrl, observers }: ChainWatcherDeps,
  config: EvmNodeConfig,
): ChainWatcher {
  const network = networkName(config.chain, config.networkKind);
  const params = evmChain(network);
  const { bus, timers } = runtime;
  const allTokens = tokensOf(config);
  const nodes: ConnectedEvmNode[] = [];

  function connect(tokens: TokenTable): ConnectedEvmNode {
    const node = createEvmNode({ urls: config.rpcUrls, params, tokens, log, clock });
    nodes.push(node);
    return node;
  }

  const verifiedTokens = createTokenVerification({
    params,
    tokens: allTokens,
    setting: `${settingPrefix(config)}_TOKENS`,
    node: connect(allTokens),
    clock,
    log,
  });

  async function makeWatcher(): Promise<CreatedWatcher> {
    const { tokens, problems, unwatchedAssets } = await verifiedTokens();
    const watcher = createEvmWatcher({
      params,
      node: connect(tokens),
      store: createWatcherStore({ db, network, onProgress: timers.wake }),
      watchSet: createWatchSet({ db, network }),
      accounts: createAccountReader({ db, network, coin: params.asset }),
      sink: observedSink(createObservationSink({ db, bus, log, publicUrl }), observers?.watch),
      dropSink: createBalanceDropSink({ db, bus }),
      clock,
      log,
    });
    return { watcher, warnings: problems, unwatchedAssets };
  }

  /**
   * Uses a separate node connection: reading the head selects the endpoint again, and a poll of the
   * watcher needs the same one throughout.
   */
  async function makeHistory(): Promise<AddressHistory> {
    const { tokens } = await verifiedTokens();
    return createEvmHistory({ node: connect(tokens), assets: [params.asset, ...tokens.map(({ symbol }) => symbol)] });
  }
  let history: Promise<AddressHistory> | null = null;

  return {
    network,
    watcher: createLazyWatcher(network, makeWatcher),
    pollMs: POLL_MS[config.networkKind],
    history: {
      async usedAmong(addresses, signal) {
        history ??= makeHistory().catch((error: unknown) => {
          history = null;
          throw error;
        });
        return (await history).usedAmong(addresses, signal);
      },
    },
    fetchFees: createEvmFees(connect(allTokens)),
    // These nodes push new blocks over WebSockets at best, which providers charge for; polling is
    // cheap enough.
    startHints: () => ({ stop: async () => {} }),
    async close() {
      await Promise.all(nodes.map((node) => node.close()));
    },
  };
}
