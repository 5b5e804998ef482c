import type { Chain } from '../../machines/index.ts';
import type { NetworkKind } from '../platform/network-kind.ts';

/**
 * Address formats of each chain and network: base58 version bytes and bech32 prefixes from each
 * node's chain parameters, and EIP-155 chain ids.
 */

/** The address types a wallet can have. `evm` is the only type on an EVM chain. */
export const ADDRESS_TYPES = ['p2pkh', 'p2sh-p2wpkh', 'p2wpkh', 'evm'] as const;
export type AddressType = (typeof ADDRESS_TYPES)[number];

/** Address parameters of one UTXO network. */
export interface UtxoNetwork {
  readonly family: 'utxo';
  readonly p2pkhVersion: number;
  /** The first is used for encoding; the others are older forms that nodes still accept. */
  readonly p2shVersions: readonly [number, ...number[]];
  /** The human-readable part of segwit addresses (BIP173), or null on chains without segwit. */
  readonly bech32Prefix: string | null;
}

/** Address parameters of one EVM network. */
export interface EvmNetwork {
  readonly family: 'evm';
  /** EIP-155 chain id, included in payment URIs so that a wallet cannot pay on another network. */
  readonly chainId: number;
}

export type AddressNetwork = UtxoNetwork | EvmNetwork;

export interface ChainAddressing {
  readonly name: string;
  /** The address types of this chain's wallets, oldest first. */
  readonly addressTypes: readonly [AddressType, ...AddressType[]];
  readonly networks: { readonly [K in NetworkKind]: AddressNetwork };
}

export const CHAIN_ADDRESSING: { readonly [C in Chain]: ChainAddressing } = {
  bitcoin: {
    name: 'Bitcoin',
    addressTypes: ['p2pkh', 'p2sh-p2wpkh', 'p2wpkh'],
    networks: {
      mainnet: utxo(0x00, [0x05], 'bc'),
      testnet: utxo(0x6f, [0xc4], 'tb'),
      regtest: utxo(0x6f, [0xc4], 'bcrt'),
    },
  },
  litecoin: {
    name: 'Litecoin',
    addressTypes: ['p2pkh', 'p2sh-p2wpkh', 'p2wpkh'],
    networks: {
      mainnet: utxo(0x30, [0x32, 0x05], 'ltc'),
      testnet: utxo(0x6f, [0x3a, 0xc4], 'tltc'),
      regtest: utxo(0x6f, [0x3a, 0xc4], 'rltc'),
    },
  },
  dogecoin: {
    name: 'Dogecoin',
    addressTypes: ['p2pkh'],
    networks: {
      mainnet: utxo(0x1e, [0x16], null),
      testnet: utxo(0x71, [0xc4], null),
      regtest: utxo(0x6f, [0xc4], null),
    },
  },
  dash: {
    name: 'Dash',
    addressTypes: ['p2pkh'],
    networks: {
      mainnet: utxo(0x4c, [0x10], null),
      testnet: utxo(0x8c, [0x13], null),
      regtest: utxo(0x8c, [0x13], null),
    },
  },
  ethereum: {
    name: 'Ethereum',
    addressTypes: ['evm'],
    networks: {
      mainnet: { family: 'evm', chainId: 1 },
      testnet: { family: 'evm', chainId: 11_155_111 }, // Sepolia
      regtest: { family: 'evm', chainId: 31_337 }, // what local development nodes use
    },
  },
};

/** The address parameters of a chain's network. */
export function addressNetwork(chain: Chain, networkKind: NetworkKind): AddressNetwork {
  return CHAIN_ADDRESSING[chain].networks[networkKind];
}

function utxo(
  p2pkhVersion: number,
  p2shVersions: readonly [number, ...number[]],
  bech32Prefix: string | null,
): UtxoNetwork {
  return { family: 'utxo', p2pkhVersion, p2shVersions, bech32Prefix };
}
