import { decodeFunctionResult, encodeFunctionData, multicall3Abi } from 'viem';

/**
 * How Multicall3 is asked for many calls at once. In a file of its own, loaded at the first question: the library of
 * Ethereum's encodings takes longer to load than all else that commands without a node need.
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

/** The data of a call of `aggregate3`. */
export function encodeAggregate(calls: readonly MulticallEntry[]): Hex {
  return encodeFunctionData({ abi: multicall3Abi, functionName: 'aggregate3', args: [calls] });
}

/** What `aggregate3` answered, in the order of the calls. Throws for anything else. */
export function decodeAggregate(data: Hex): readonly MulticallResult[] {
  return decodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', data });
}
