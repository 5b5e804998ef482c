import { formatCoins } from '../machines/index.ts';
import type { World } from './world.ts';

/**
 * A customer with coins who can also mine blocks. Everything goes through the node's own wallet.
 */
export interface Customer {
  /** Sends coins in a replaceable transaction (BIP 125) and returns its txid. */
  pay(address: string, litoshi: bigint): Promise<string>;
  /**
   * Double-spends an unconfirmed transaction: pays its coins to the customer's own wallet for a
   * higher fee.
   */
  takeBack(txid: string): Promise<void>;
  /**
   * A signed transaction that spends the same coins as `txid` but pays the customer; in hex, not
   * broadcast.
   */
  conflictingWith(txid: string): Promise<string>;
  mine(blocks: number): Promise<void>;
  /**
   * Invalidates the newest blocks and mines one more than that; the first new block has only these
   * transactions.
   */
  reorganise(options: { readonly depth: number; readonly transactions: readonly string[] }): Promise<void>;
}

const LITECOIN_DECIMALS = 8;
const LITOSHI_PER_COIN = 1e8;
/** Well above the fee of any replaced transaction of the demo. */
const HIGH_FEE_LITOSHI = 10_000_000;
/** `sendrawtransaction` rejects high fees unless its limit is 0. */
const ANY_FEE_RATE = 0;
/** BIP 125: the highest sequence number of a replaceable input. */
const REPLACEABLE_SEQUENCE = 0xfffffffd;

export function createCustomer(world: World): Customer {
  const { node } = world;

  async function conflictingWith(txid: string): Promise<string> {
    const { vin } = await node.rpc<RawTransaction>('getrawtransaction', [txid, true]);
    const values = await Promise.all(vin.map(({ txid: parent, vout }) => litoshiOf(parent, vout)));
    const total = values.reduce((sum, value) => sum + value, 0);
    const inputs = vin.map(({ txid: parent, vout }) => ({ txid: parent, vout, sequence: REPLACEABLE_SEQUENCE }));
    const { address } = await node.newAddress();
    const outputs = { [address]: coins(BigInt(total - HIGH_FEE_LITOSHI)) };
    const unsigned = await node.rpc('createrawtransaction', [inputs, outputs]);
    const { hex } = await node.rpc<{ readonly hex: string }>('signrawtransactionwithwallet', [unsigned]);
    return hex;
  }

  async function litoshiOf(txid: string, vout: number): Promise<number> {
    const parent = await node.rpc<RawTransaction>('getrawtransaction', [txid, true]);
    return Math.round((parent.vout[vout]?.value ?? 0) * LITOSHI_PER_COIN);
  }

  async function mine(blocks: number): Promise<void> {
    await world.reportToNode();
    await node.mine(blocks);
  }

  return {
    conflictingWith,
    mine,
    async pay(address, litoshi) {
      await world.reportToNode();
      const isReplaceable = true;
      return node.rpc<string>('sendtoaddress', [address, coins(litoshi), '', '', false, isReplaceable]);
    },
    async takeBack(txid) {
      const hex = await conflictingWith(txid);
      await world.reportToNode();
      await node.rpc('sendrawtransaction', [hex, ANY_FEE_RATE]);
    },
    async reorganise({ depth, transactions }) {
      const height = await node.rpc<number>('getblockcount');
      await node.rpc('invalidateblock', [await node.rpc('getblockhash', [height - depth + 1])]);
      await world.reportToNode();
      await node.rpc('generateblock', [(await node.newAddress()).address, transactions]);
      await mine(depth);
    },
  };
}

// Helpers

interface RawTransaction {
  readonly vin: readonly { readonly txid: string; readonly vout: number }[];
  readonly vout: readonly { readonly value: number }[];
}

function coins(litoshi: bigint): string {
  return formatCoins(litoshi, LITECOIN_DECIMALS);
}
