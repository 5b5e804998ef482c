import type { ConnectedEvmNode } from '../evm/node/create-evm-node.ts';
import { type AskFees, twoDigits } from './port.ts';

/** Gas of every transfer of ether to an address without code. */
const COIN_GAS = 21_000n;
/** About what ERC-20 tokens need to pay an address that holds none yet, as every new one does. */
const TOKEN_GAS = 65_000n;

/** Fees at the price of gas that the node proposes now (`eth_gasPrice`). */
export function createEvmFees(node: Pick<ConnectedEvmNode, 'gasPriceWei'>): AskFees {
  return async () => {
    const price = await node.gasPriceWei();
    return { coin: twoDigits(price * COIN_GAS), token: twoDigits(price * TOKEN_GAS) };
  };
}
