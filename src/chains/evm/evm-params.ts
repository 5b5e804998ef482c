import { type CryptoSymbol, MINUTE_MS, SECOND_MS } from '../../../machines/index.ts';

export interface EvmChainParams {
  /** Name of the network in observations, e.g. `ethereum-mainnet`. */
  readonly network: string;
  /** EIP-155 chain id. */
  readonly chainId: number;
  /**
   * Hash of the genesis block, which distinguishes networks with equal chain ids; null on private
   * networks, whose genesis block may be any.
   */
  readonly genesisHash: string | null;
  /** The chain's native coin. */
  readonly asset: CryptoSymbol;
  /** A node whose newest block is older counts as behind; null on chains without regular blocks. */
  readonly staleAfterMs: number | null;
  /**
   * A block, or a log in it, may arrive this long after the block's timestamp. Where blocks are not
   * regular, `syncedUntil` is this long ago (or the newest block, if later); elsewhere it is the
   * newest block.
   */
  readonly lateBlockMs: number;
}

const chains: readonly EvmChainParams[] = [
  {
    network: 'ethereum-mainnet',
    chainId: 1,
    genesisHash: '0xd4e56740f876aef8c010b86a40d5f56745a118d0906a34e69aec8c0db1cb8fa3',
    asset: 'ETH',
    staleAfterMs: 5 * MINUTE_MS,
    lateBlockMs: 60 * SECOND_MS,
  },
  {
    network: 'ethereum-testnet', // Sepolia
    chainId: 11_155_111,
    genesisHash: '0x25a5cc106eea7138acab33231d7160d69cb777ee0c2c553fcddf5138993e6dd9',
    asset: 'ETH',
    staleAfterMs: 10 * MINUTE_MS,
    lateBlockMs: 60 * SECOND_MS,
  },
  {
    network: 'ethereum-regtest', // a private development node
    chainId: 31_337,
    genesisHash: null,
    asset: 'ETH',
    staleAfterMs: null,
    lateBlockMs: 0,
  },
];

/** The parameters of a network; throws a `RangeError` listing the known names. */
export function evmChain(network: string): EvmChainParams {
  const params = chains.find((chain) => chain.network === network);
  if (params === undefined) {
    const names = chains.map((chain) => chain.network).join(', ');
    throw new RangeError(`"${network}" is not a known EVM network; choose one of ${names}`);
  }
  return params;
}
