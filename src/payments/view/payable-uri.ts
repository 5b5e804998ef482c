import { ASSETS, type CryptoSymbol } from '../../../machines/index.ts';
import { parseNetworkName, paymentUri } from '../../wallets/index.ts';
import type { PaymentNetworks } from '../payment-networks.ts';
import type { ChainOverview } from '../watching/chain-overview.ts';

export interface PayableUriDeps {
  readonly networks: Pick<PaymentNetworks, 'contractOf'>;
  readonly overview: Pick<ChainOverview, 'isPayable'>;
}

export interface PayableAmount {
  readonly crypto: CryptoSymbol;
  readonly network: string;
  readonly address: string;
  readonly baseUnits: bigint;
}

/**
 * The URI for an amount, BIP 21 or EIP-681, that a wallet opens. Null for no amount, and for a
 * token whose contract is not verified: with only an address, a wallet would offer to send ether.
 */
export async function payableUri(
  { networks, overview }: PayableUriDeps,
  { crypto, network, address, baseUnits: amountBaseUnits }: PayableAmount,
): Promise<string | null> {
  if (amountBaseUnits <= 0n) return null;
  const asset = ASSETS[crypto];
  const { kind: networkKind } = parseNetworkName(network);
  if (asset.type === 'coin') return paymentUri({ asset, networkKind, address, amountBaseUnits });
  const tokenContract = networks.contractOf(network, crypto);
  // A contract with other decimals was configured in error: coins sent by it would not be seen.
  if (tokenContract === null || !(await overview.isPayable(network, crypto))) return null;
  return paymentUri({ asset, networkKind, address, amountBaseUnits, tokenContract });
}
