import type { CryptoSymbol } from '../../machines/index.ts';
import { TerminalError } from '../platform/errors.ts';
import type { ConnectedEvmNode } from './evm/node/create-evm-node.ts';
import { RpcError } from './rpc/rpc-call.ts';
import type { UtxoRpc } from './utxo/rpc.ts';

/**
 * The current cost of a typical transfer for its sender, in base units of the chain's native coin.
 */
export interface TransferFees {
  /** A transfer of the chain's native coin. */
  readonly coin: bigint;
  /** A transfer of a token; null on chains without tokens. */
  readonly token: bigint | null;
}

/**
 * Null when the node cannot estimate fees. Throws `RetryableError` when it does not respond now.
 */
export type FetchFees = () => Promise<TransferFees | null>;

/** Rounds to two digits: estimates are no more exact, and stay equal for longer. */
function twoDigits(amount: bigint): bigint {
  const unit = 10n ** BigInt(Math.max(0, amount.toString().length - 2));
  return ((amount + unit / 2n) / unit) * unit;
}

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

/** Virtual bytes (BIP 141) of a transaction with one input and two outputs, payee and change. */
const P2WPKH_BYTES = 141;
/** The same without segregated witness. */
const P2PKH_BYTES = 226;
const NO_SEGWIT: readonly CryptoSymbol[] = ['DOGE', 'DASH'];
/** Blocks in which the estimate expects a confirmation. */
const TARGET_BLOCKS = 6;

/** Fees by the node's own estimate (`estimatesmartfee`), which needs some days of the mempool. */
export function createUtxoFees(rpc: Pick<UtxoRpc, 'call'>, coin: CryptoSymbol): FetchFees {
  const bytes = BigInt(NO_SEGWIT.includes(coin) ? P2PKH_BYTES : P2WPKH_BYTES);
  return async () => {
    const perKilobyte = await estimate(rpc);
    return perKilobyte === null ? null : { coin: twoDigits((perKilobyte * bytes) / 1_000n), token: null };
  };
}

// Helpers

/** Base units for 1,000 virtual bytes; null without an estimate and when the call is rejected. */
async function estimate(rpc: Pick<UtxoRpc, 'call'>): Promise<bigint | null> {
  try {
    const response = await rpc.call('estimatesmartfee', [TARGET_BLOCKS]);
    const { feerate } = (response ?? {}) as { readonly feerate?: unknown };
    // Dogecoin returns -1 where the others omit the field.
    return typeof feerate === 'number' && feerate > 0 ? BigInt(Math.ceil(feerate * 1e8)) : null;
  } catch (error) {
    // An rpcwhitelist without this method looks like bad credentials.
    if (error instanceof RpcError || error instanceof TerminalError) return null;
    throw error;
  }
}
