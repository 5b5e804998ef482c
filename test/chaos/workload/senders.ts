import { keccak256 } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

/** A signed transaction, identical in whichever block it is mined. */
export interface Signed {
  readonly raw: `0x${string}`;
  readonly txid: string;
  readonly sender: string;
}

export interface Call {
  readonly to: string;
  readonly valueWei?: bigint;
  readonly data?: string;
}

/** An account that signs locally, so that its transactions can be mined again after a reorg. */
export interface Sender {
  readonly address: string;
  sign(call: Call): Promise<Signed>;
  /** Another transaction with the nonce of a signed one: only one of the two can be mined. */
  signRival(of: Signed, call: Call): Promise<Signed>;
}

const CHAIN_ID = 31_337;
const GAS = 200_000n;
const MAX_FEE_WEI = 100_000_000_000n;
const TIP_WEI = 1_000_000_000n;

export function createSender(privateKey: string, firstNonce = 0): Sender {
  const account = privateKeyToAccount(privateKey as `0x${string}`);
  const address = account.address.toLowerCase();
  const nonces = new Map<string, number>();
  let nextNonce = firstNonce;

  async function signAt(nonce: number, { to, valueWei = 0n, data = '0x' }: Call): Promise<Signed> {
    const raw = await account.signTransaction({
      type: 'eip1559',
      chainId: CHAIN_ID,
      nonce,
      gas: GAS,
      maxFeePerGas: MAX_FEE_WEI,
      maxPriorityFeePerGas: TIP_WEI,
      to: to as `0x${string}`,
      value: valueWei,
      data: data as `0x${string}`,
    });
    const txid = keccak256(raw);
    nonces.set(txid, nonce);
    return { raw, txid, sender: address };
  }

  return {
    address,
    sign(call) {
      nextNonce += 1;
      return signAt(nextNonce - 1, call);
    },
    async signRival({ txid }, call) {
      const nonce = nonces.get(txid);
      if (nonce === undefined) throw new Error(`${txid} was not signed by ${address}`);
      return signAt(nonce, call);
    },
  };
}
