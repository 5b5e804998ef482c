import { decodeFunctionResult, encodeFunctionData, multicall3Abi } from 'viem';

/**
 * ABI encoding for Multicall3. A separate file, loaded before the first call: viem's encoders take
 * longer to load than everything else that commands without a node need.
 */

type Hex = `0x${string}`;

export interface MulticallEntry {
  readonly target: Hex;
  readonly allowFailure: boolean;
  readonly callData: Hex;
}

export interface MulticallResult {
  readonly success: boolean;
  readonly returnData: Hex;
}

export function encodeAggregate(calls: readonly MulticallEntry[]): Hex {
  return encodeFunctionData({ abi: multicall3Abi, functionName: 'aggregate3', args: [calls] });
}

/** Results of `aggregate3`, in the order of the calls. Throws for any other data. */
export function decodeAggregate(data: Hex): readonly MulticallResult[] {
  return decodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', data });
}
