import type { CryptoSymbol } from '../../../machines/index.ts';
import { TerminalError } from '../../platform/errors.ts';
import { RpcError } from '../rpc/rpc-call.ts';
import type { UtxoRpc } from '../utxo/rpc.ts';
import { type FetchFees, twoDigits } from './port.ts';

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
