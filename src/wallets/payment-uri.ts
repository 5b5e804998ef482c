import type { Asset, Chain } from '../../machines/index.ts';
import { formatCoins } from '../../machines/index.ts';
import { assertNever } from '../platform/errors.ts';
import type { NetworkKind } from '../platform/network-kind.ts';
import { addressNetwork } from './address-formats.ts';

/**
 * Payment URIs for wallets: BIP21 on UTXO chains (amount in whole coins, plain decimal), EIP-681 on
 * Ethereum (amount in base units, with the chain id so that a wallet cannot pay on another
 * network).
 */
export interface PaymentUriParameters {
  readonly asset: Pick<Asset, 'chain' | 'type' | 'decimals'>;
  readonly networkKind: NetworkKind;
  readonly address: string;
  /** Omitted from the URI when null: the customer enters the amount. */
  readonly amountBaseUnits: bigint | null;
  /** The token's contract on this network. Without it, the URI has the address but no amount. */
  readonly tokenContract?: string | null;
  /** EIP-155 chain id; defaults to the usual one of the network kind. */
  readonly chainId?: number;
  /** BIP21 only: shown by the wallet. */
  readonly label?: string;
  readonly message?: string;
}

const SCHEMES: { readonly [C in Chain]: string } = {
  bitcoin: 'bitcoin',
  litecoin: 'litecoin',
  dogecoin: 'dogecoin',
  dash: 'dash',
  ethereum: 'ethereum',
};

/** The URI for a QR code or a "pay in wallet" button. */
export function paymentUri(parameters: PaymentUriParameters): string {
  const network = addressNetwork(parameters.asset.chain, parameters.networkKind);
  switch (network.family) {
    case 'utxo':
      return bip21Uri(parameters);
    case 'evm':
      return eip681Uri(parameters, parameters.chainId ?? network.chainId);
    default:
      return assertNever(network, 'network family');
  }
}

function bip21Uri({ asset, address, amountBaseUnits, label, message }: PaymentUriParameters): string {
  const query = [
    ...(amountBaseUnits === null ? [] : [`amount=${formatCoins(amountBaseUnits, asset.decimals)}`]),
    ...(label === undefined ? [] : [`label=${encodeURIComponent(label)}`]),
    ...(message === undefined ? [] : [`message=${encodeURIComponent(message)}`]),
  ];
  return withQuery(`${SCHEMES[asset.chain]}:${address}`, query);
}

function eip681Uri(parameters: PaymentUriParameters, chainId: number): string {
  const { asset, address, amountBaseUnits, tokenContract = null } = parameters;
  const scheme = SCHEMES[asset.chain];
  if (asset.type === 'coin') {
    return withQuery(`${scheme}:${address}@${chainId}`, amountBaseUnits === null ? [] : [`value=${amountBaseUnits}`]);
  }
  // A value on a plain address would mean ether, so a token without a known contract gets none.
  if (tokenContract === null) return `${scheme}:${address}@${chainId}`;
  return withQuery(`${scheme}:${tokenContract}@${chainId}/transfer`, [
    `address=${address}`,
    ...(amountBaseUnits === null ? [] : [`uint256=${amountBaseUnits}`]),
  ]);
}

function withQuery(base: string, query: readonly string[]): string {
  return query.length === 0 ? base : `${base}?${query.join('&')}`;
}
