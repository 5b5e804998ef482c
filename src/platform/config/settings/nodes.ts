import { MODES, type Mode } from '../../../../machines/index.ts';
import { NETWORK_KINDS, type NetworkKind } from '../../network-kind.ts';
import {
  EVM_COINS,
  type EvmCoin,
  settingPrefix,
  TEST_MODES,
  TEST_NODE_NETWORKS,
  UTXO_COINS,
  type UtxoCoin,
} from '../config.ts';
import { parseTokenContracts, TOKEN_SYMBOLS, type TokenContracts } from '../parse-token-contracts.ts';
import * as read from '../parsers.ts';
import { type Setting, secret, setting } from './setting.ts';

/** Which networks test keys use. */
export const TEST_MODE_SETTING = {
  testMode: setting(
    'TEST_MODE',
    'simulated',
    'Networks of test keys: simulated (built in; needs no node and no wallet), or onchain (test networks of the nodes in ' +
      "the TEST_… settings, with the merchants' own test wallets; such payments count toward the plan).",
    read.oneOf(TEST_MODES),
  ),
} as const;

/** The node of a Bitcoin-like chain. Network and URL must both be set, or neither. */
export interface UtxoNodeSettings {
  readonly network: Setting<NetworkKind>;
  readonly rpcUrl: Setting<string>;
  readonly zmqUrl: Setting<string>;
}

/** The nodes of an account-based chain. */
export interface EvmNodeSettings {
  readonly network: Setting<NetworkKind>;
  readonly rpcUrl: Setting<string>;
  readonly secondRpcUrl: Setting<string>;
  readonly tokens: Setting<TokenContracts>;
}

export function utxoNodeSettings(mode: Mode, coin: UtxoCoin): UtxoNodeSettings {
  const prefix = settingPrefix({ mode, symbol: coin });
  const { node, ports } = UTXO_NODES[coin];
  return {
    network: network(mode, coin),
    rpcUrl: rpcUrl(`${prefix}_RPC_URL`, jsonRpcOf(mode, node), `http://user:password@127.0.0.1:${ports[mode]}`),
    zmqUrl: setting(
      `${prefix}_ZMQ_URL`,
      '(none)',
      `Where ${mode === 'test' ? 'that' : 'your'} ${node} publishes notifications (zmqpubhashblock, zmqpubrawtx), such as ` +
        'tcp://127.0.0.1:28332. Optional: they only trigger earlier polls. Without it, the node is polled every second.',
      read.tcpEndpoint,
    ),
  };
}

export function evmNodeSettings(mode: Mode, coin: EvmCoin): EvmNodeSettings {
  const prefix = settingPrefix({ mode, symbol: coin });
  return {
    network: network(mode, coin, ' (testnet is Sepolia)'),
    rpcUrl: rpcUrl(`${prefix}_RPC_URL`, jsonRpcOf(mode, 'Ethereum node or provider'), 'http://127.0.0.1:8545'),
    secondRpcUrl: rpcUrl(
      `${prefix}_RPC_URL_2`,
      'A second one, used when the first fails or lags behind',
      'https://ethereum.example/v3/key',
    ),
    tokens: setting(
      `${prefix}_TOKENS`,
      '(built-in contracts of the network)',
      'Token contracts, overriding the built-in ones: a JSON object such as {"USDC":"0x1c7D…"}, or the path of a file ' +
        `with one. Symbols: ${TOKEN_SYMBOLS.join(', ')}.`,
      read.mapped(read.jsonOrFile(parseTokenContracts), ({ value }) => value),
    ),
  };
}

/** The settings of all nodes in the order of the documentation: live keys, then test keys. */
export function allNodeSettings(): readonly Setting<unknown>[] {
  return MODES.flatMap(nodeSettingsOf);
}

export function nodeSettingsOf(mode: Mode): readonly Setting<unknown>[] {
  return [
    ...UTXO_COINS.flatMap((coin) => Object.values<Setting<unknown>>({ ...utxoNodeSettings(mode, coin) })),
    ...EVM_COINS.flatMap((coin) => Object.values<Setting<unknown>>({ ...evmNodeSettings(mode, coin) })),
  ];
}

// Helpers

/** Each coin's node software, and its default JSON-RPC port on the usual network of each mode. */
const UTXO_NODES: { readonly [C in UtxoCoin]: { readonly node: string; readonly ports: Record<Mode, number> } } = {
  BTC: { node: 'Bitcoin Core', ports: { live: 8332, test: 18332 } },
  LTC: { node: 'Litecoin Core', ports: { live: 9332, test: 19332 } },
  DOGE: { node: 'Dogecoin Core', ports: { live: 22555, test: 44555 } },
  DASH: { node: 'Dash Core', ports: { live: 9998, test: 19998 } },
};

function network(mode: Mode, coin: UtxoCoin | EvmCoin, note = ''): Setting<NetworkKind> {
  const prefix = settingPrefix({ mode, symbol: coin });
  const networks = mode === 'test' ? TEST_NODE_NETWORKS : NETWORK_KINDS;
  const needs = mode === 'test' ? ' and TEST_MODE=onchain' : '';
  return setting(
    `${prefix}_NETWORK`,
    '(none)',
    `Network of ${mode} ${coin} payments: ${networks.join(', ')}${note}. Requires ${prefix}_RPC_URL${needs}.`,
    mode === 'test' ? testNetwork(coin) : read.oneOf(NETWORK_KINDS),
  );
}

/** Test keys must never request real money, so mainnet is rejected here; no later check does it. */
function testNetwork(coin: string): read.Parser<NetworkKind> {
  return (text) => {
    if (text !== 'mainnet') return read.oneOf(TEST_NODE_NETWORKS)(text);
    return read.bad(
      `must be ${TEST_NODE_NETWORKS.join(' or ')}, because test keys never use mainnet; ` +
        `set the node of live payments in ${coin}_NETWORK and ${coin}_RPC_URL`,
    );
  };
}

function jsonRpcOf(mode: Mode, node: string): string {
  return mode === 'test' ? `JSON-RPC URL of the ${node} for test keys` : `JSON-RPC URL of your ${node}`;
}

function rpcUrl(name: string, what: string, example: string): Setting<string> {
  return secret(name, '(none)', `${what}, such as ${example}.`, read.url(['http:', 'https:'], example));
}
