import { type EvmCoin, NODE_NETWORKS, type UtxoCoin } from '../config.ts';
import * as read from '../parsers.ts';
import { parseTokenContracts, TOKEN_SYMBOLS } from '../token-contracts.ts';
import { secret, setting } from './setting.ts';

/** The node of each chain with one coin. Network and URL come together or not at all. */
export const UTXO_NODE_SETTINGS = {
  BTC: utxoNode('BTC', 'Bitcoin Core', 8332),
  LTC: utxoNode('LTC', 'Litecoin Core', 9332),
  DOGE: utxoNode('DOGE', 'Dogecoin Core', 22555),
  DASH: utxoNode('DASH', 'Dash Core', 9998),
} as const satisfies { readonly [C in UtxoCoin]: unknown };

/** The nodes of each account-based chain. */
export const EVM_NODE_SETTINGS = {
  ETH: {
    network: network('ETH', ' (testnet is Sepolia)'),
    rpcUrl: rpcUrl('ETH_RPC_URL', 'JSON-RPC of your Ethereum node or provider', 'http://127.0.0.1:8545'),
    secondRpcUrl: rpcUrl(
      'ETH_RPC_URL_2',
      'A second one, asked when the first fails or lags behind it',
      'https://ethereum.example/v3/key',
    ),
    tokens: setting(
      'ETH_TOKENS',
      '(built-in contracts of the network)',
      'Token contracts, before those that are built in: a JSON object like {"USDC":"0x1c7D…"}, or the path of a file ' +
        `with one. Symbols: ${TOKEN_SYMBOLS.join(', ')}.`,
      read.mapped(read.jsonOrFile(parseTokenContracts), ({ value }) => value),
    ),
  },
} as const satisfies { readonly [C in EvmCoin]: unknown };

// Helpers

function network(coin: string, note = '') {
  return setting(
    `${coin}_NETWORK`,
    '(none)',
    `Network of live ${coin} payments: ${NODE_NETWORKS.join(', ')}${note}. Goes with ${coin}_RPC_URL.`,
    read.oneOf(NODE_NETWORKS),
  );
}

function rpcUrl(name: string, what: string, example: string) {
  return secret(name, '(none)', `${what}, like ${example}.`, read.url(['http:', 'https:'], example));
}

function utxoNode(coin: UtxoCoin, node: string, rpcPort: number) {
  return {
    network: network(coin),
    rpcUrl: rpcUrl(`${coin}_RPC_URL`, `JSON-RPC of your ${node}`, `http://user:password@127.0.0.1:${rpcPort}`),
    zmqUrl: setting(
      `${coin}_ZMQ_URL`,
      '(none)',
      `Where your ${node} publishes news (zmqpubhashblock, zmqpubrawtx), like tcp://127.0.0.1:28332. ` +
        'Only a hint to look sooner: without it, the node is asked every second.',
      read.tcpEndpoint,
    ),
  };
}
