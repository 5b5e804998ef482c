import { ASSETS, type Mode } from '../../../machines/index.ts';
import { type NetworkKind } from '../network-kind.ts';
import {
  EVM_COINS,
  type EvmCoin,
  type EvmNodeConfig,
  type NodeConfig,
  settingPrefix,
  type TestMode,
  UTXO_COINS,
  type UtxoCoin,
  type UtxoNodeConfig,
} from './config.ts';
import { rejectHalf, type SettingReader } from './setting-reader.ts';
import { evmNodeSettings, nodeSettingsOf, SETTINGS, type Setting, utxoNodeSettings } from './settings.ts';

/**
 * Reads the nodes for live keys and, with TEST_MODE=onchain, those for test keys. Reports an error
 * for test nodes without that mode, for that mode without a test node, and for live and test
 * payments sharing a network or a node.
 */
export function readNodes(reader: SettingReader, testMode: TestMode): readonly NodeConfig[] {
  const live = readNodesOf(reader, 'live');
  const areTestNodesGiven = nodeSettingsOf('test').some(({ name }) => reader.given(name) !== null);
  if (testMode === 'simulated') {
    // An invalid TEST_MODE is reported once, not again for each test node.
    if (isValid(reader, SETTINGS.testMode)) rejectUnusedTestNodes(reader);
    return live;
  }
  const test = readNodesOf(reader, 'test');
  if (!areTestNodesGiven) {
    reader.errors.push(
      `${SETTINGS.testMode.name}: onchain needs the node of at least one coin; set TEST_LTC_NETWORK and ` +
        `TEST_LTC_RPC_URL, for example, or unset ${SETTINGS.testMode.name} to simulate test payments.`,
    );
  }
  for (const node of test) rejectShared(reader, live, node);
  return [...live, ...test];
}

// Helpers

function readNodesOf(reader: SettingReader, mode: Mode): readonly NodeConfig[] {
  return [
    ...UTXO_COINS.flatMap((coin) => readUtxoNode(reader, mode, coin)),
    ...EVM_COINS.flatMap((coin) => readEvmNode(reader, mode, coin)),
  ];
}

function isValid(reader: SettingReader, { name, parse }: Setting<unknown>): boolean {
  const text = reader.given(name);
  return text === null || parse(text).ok;
}

function rejectUnusedTestNodes(reader: SettingReader): void {
  for (const setting of nodeSettingsOf('test')) {
    const { name } = setting;
    if (reader.given(name) === null) continue;
    // Report one error per variable: an invalid value takes precedence.
    if (!isValid(reader, setting)) reader.optional(setting);
    else
      reader.errors.push(`${name}: has no effect without ${SETTINGS.testMode.name}=onchain; set it, or unset ${name}.`);
  }
}

/** Wallets belong to a network, so two modes on one network could pay into each other's wallets. */
function rejectShared(reader: SettingReader, live: readonly NodeConfig[], test: NodeConfig): void {
  const other = live.find(({ chain }) => chain === test.chain);
  if (other === undefined) return;
  const [liveName, testName] = [settingPrefix(other), settingPrefix(test)];
  if (other.networkKind === test.networkKind) {
    reader.errors.push(
      `${testName}_NETWORK: ${test.networkKind} is also ${liveName}_NETWORK; live and test payments need separate ` +
        `networks: choose another one, or unset ${liveName}_NETWORK and ${liveName}_RPC_URL.`,
    );
    return;
  }
  const liveUrls = urlsOf(other);
  if (!urlsOf(test).some((url) => liveUrls.includes(url))) return;
  reader.errors.push(
    `${testName}_RPC_URL: is also the node of live payments (${liveName}_RPC_URL), and a node serves one network; ` +
      `set the URL of a node on ${test.networkKind}.`,
  );
}

function urlsOf(node: NodeConfig): readonly string[] {
  return node.family === 'utxo' ? [node.rpcUrl] : node.rpcUrls;
}

function readUtxoNode(reader: SettingReader, mode: Mode, symbol: UtxoCoin): UtxoNodeConfig[] {
  const settings = utxoNodeSettings(mode, symbol);
  const zmqUrl = reader.optional(settings.zmqUrl);
  const connection = readConnection(reader, settings, { [settings.zmqUrl.name]: zmqUrl });
  if (connection === null) return [];
  const { chain } = ASSETS[symbol];
  return [
    { family: 'utxo', mode, symbol, chain, networkKind: connection.networkKind, rpcUrl: connection.rpcUrl, zmqUrl },
  ];
}

function readEvmNode(reader: SettingReader, mode: Mode, symbol: EvmCoin): EvmNodeConfig[] {
  const settings = evmNodeSettings(mode, symbol);
  const second = reader.optional(settings.secondRpcUrl);
  const tokens = reader.optional(settings.tokens);
  const connection = readConnection(reader, settings, {
    [settings.secondRpcUrl.name]: second,
    [settings.tokens.name]: tokens,
  });
  if (connection === null) return [];
  const { chain } = ASSETS[symbol];
  const rpcUrls = [connection.rpcUrl, ...(second === null ? [] : [second])] as const;
  return [{ family: 'evm', mode, symbol, chain, networkKind: connection.networkKind, rpcUrls, tokens: tokens ?? {} }];
}

interface ConnectionSettings {
  readonly network: Setting<NetworkKind>;
  readonly rpcUrl: Setting<string>;
}

/**
 * Network and URL; both must be set, or neither. `companions` are settings, by name, that have no
 * effect without them.
 */
function readConnection(
  reader: SettingReader,
  { network, rpcUrl }: ConnectionSettings,
  companions: Readonly<Record<string, unknown>>,
): { networkKind: NetworkKind; rpcUrl: string } | null {
  const isGiven = ({ name }: Setting<unknown>) => reader.given(name) !== null;
  rejectHalf(reader, network, rpcUrl);
  for (const [name, value] of Object.entries(companions)) {
    if (value === null || isGiven(network) || isGiven(rpcUrl)) continue;
    reader.errors.push(`${name}: has no effect without ${network.name} and ${rpcUrl.name}; set them, or unset it.`);
  }
  const networkKind = reader.optional(network);
  const url = reader.optional(rpcUrl);
  return networkKind === null || url === null ? null : { networkKind, rpcUrl: url };
}
