import type { ConnectedEvmNode } from '../evm/node/create-evm-node.ts';
import { type FetchFees, twoDigits } from './port.ts';

/** Gas of any transfer of ether to an address without code. */
const COIN_GAS = 21_000n;
/** About what ERC-20 tokens need to pay an address that holds none yet, as every new one does. */
const TOKEN_GAS = 65_000n;

/**
 * Fees at the price of gas that the node proposes now (`eth_gasPrice`).
 *
 * `node` must not be shared: each `heads()` call chooses the endpoint that all its queries use, so
 * that the price is not that of a node that is out of sync.
 */
export function createEvmFees(node: Pick<ConnectedEvmNode, 'heads' | 'gasPriceWei'>): FetchFees {
  return async () => {
    await node.heads();
    const price = await node.gasPriceWei();
    return { coin: twoDigits(price * COIN_GAS), token: twoDigits(price * TOKEN_GAS) };
  };
}
