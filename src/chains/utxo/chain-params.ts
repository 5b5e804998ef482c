import { type CryptoSymbol, HOUR_MS, MINUTE_MS } from '../../../machines/index.ts';
import { BITCOIN_FORMAT, DASH_FORMAT, DOGECOIN_FORMAT, LITECOIN_FORMAT, type RawFormat } from './raw-reader.ts';

/** Parameters of one Bitcoin-like network. */
export interface UtxoChainParams {
  /** Name of the network in observations, e.g. `litecoin-mainnet`. */
  readonly network: string;
  /** The network's only coin. */
  readonly asset: CryptoSymbol;
  /** Identifies the network, regardless of the name the node reports. */
  readonly genesisHash: string;
  readonly format: RawFormat;
  /**
   * A node whose median time past (newest eleven blocks) is older than this counts as behind. It
   * may not report so itself: initial block download is never re-entered once left. Null on
   * regtest, which has no block interval.
   */
  readonly staleAfterMs: number | null;
  /** Its nodes may report ChainLocks and InstantSend locks (Dash DIP 8 and DIP 10). */
  readonly reportsLocks?: boolean;
}

const chains = [
  chain(
    'BTC',
    'bitcoin-mainnet',
    '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f',
    BITCOIN_FORMAT,
    4 * HOUR_MS,
  ),
  chain(
    'BTC',
    'bitcoin-testnet',
    '000000000933ea01ad0ee984209779baaec3ced90fa3f408719526f8d77f4943',
    BITCOIN_FORMAT,
    4 * HOUR_MS,
  ),
  chain(
    'BTC',
    'bitcoin-regtest',
    '0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206',
    BITCOIN_FORMAT,
    null,
  ),
  chain(
    'LTC',
    'litecoin-mainnet',
    '12a765e31ffd4059bada1e25190f6e98c99d9714d334efa41a195a7e7e04bfe2',
    LITECOIN_FORMAT,
    HOUR_MS,
  ),
  chain(
    'LTC',
    'litecoin-testnet',
    '4966625a4b2851d9fdee139e56211a0d88575f59ed816ff5e6a63deb4e3e29a0',
    LITECOIN_FORMAT,
    4 * HOUR_MS,
  ),
  chain(
    'LTC',
    'litecoin-regtest',
    '530827f38f93b43ed12af0b3ad25a288dc02ed74d6d7857862df51fc56c416f9',
    LITECOIN_FORMAT,
    null,
  ),
  chain(
    'DOGE',
    'dogecoin-mainnet',
    '1a91e3dace36e2be3bf030a65679fe821aa1d6ef92e7c9902eb318182c355691',
    DOGECOIN_FORMAT,
    30 * MINUTE_MS,
  ),
  chain(
    'DOGE',
    'dogecoin-testnet',
    'bb0a78264637406b6360aad926284d544d7049f45189db5664f3c4d07350559e',
    DOGECOIN_FORMAT,
    4 * HOUR_MS,
  ),
  chain(
    'DOGE',
    'dogecoin-regtest',
    '3d2160a3b5dc4a9d62e7e66a295f70313ac808440ef7400d6c0772171ce973a5',
    DOGECOIN_FORMAT,
    null,
  ),
  chain(
    'DASH',
    'dash-mainnet',
    '00000ffd590b1485b3caadc19b22e6379c733355108f107a430458cdf3407ab6',
    DASH_FORMAT,
    HOUR_MS,
  ),
  chain(
    'DASH',
    'dash-testnet',
    '00000bafbc94add76cb75e2ec92894837288a481e5c005f6563d91623bf8bc2c',
    DASH_FORMAT,
    4 * HOUR_MS,
  ),
  chain('DASH', 'dash-regtest', '000008ca1832a4baf228eb1553c03d3a2c8e02399550dd6ea8d65cec3ef23d2e', DASH_FORMAT, null),
] as const;

/** All supported networks, by name. */
const UTXO_CHAINS: ReadonlyMap<string, UtxoChainParams> = new Map(chains.map((params) => [params.network, params]));

/** The parameters of a network; throws a `RangeError` listing the known names. */
export function utxoChain(network: string): UtxoChainParams {
  const params = UTXO_CHAINS.get(network);
  if (params === undefined) {
    throw new RangeError(
      `"${network}" is not a known UTXO network; choose one of ${[...UTXO_CHAINS.keys()].join(', ')}`,
    );
  }
  return params;
}

function chain(
  asset: CryptoSymbol,
  network: string,
  genesisHash: string,
  format: RawFormat,
  staleAfterMs: number | null,
): UtxoChainParams {
  return { network, asset, genesisHash, format, staleAfterMs, reportsLocks: asset === 'DASH' };
}
