import { TerminalError } from '../../../platform/errors.ts';
import type { EvmChainParams } from '../evm-params.ts';
import { blockCall, call, orThrow } from '../rpc/calls.ts';
import type { EvmRpc, RequestLimits } from '../rpc/json-rpc.ts';
import { asCount } from '../rpc/read-response.ts';
import { readHead } from './blocks.ts';

/** Throws a `TerminalError` `WRONG_NETWORK` unless the node has the chain id and genesis block. */
export async function requireNetwork(rpc: EvmRpc, params: EvmChainParams, limits?: RequestLimits): Promise<void> {
  const [chainId, genesis] = await rpc.batch(
    [call('eth_chainId'), ...(params.genesisHash === null ? [] : [blockCall(0, false)])],
    limits,
  );
  const found = asCount(orThrow(chainId));
  if (found !== params.chainId) throw wrongNetwork(rpc, params, `chain ${found}`);
  if (params.genesisHash === null) return;
  const { hash } = readHead(orThrow(genesis));
  if (hash !== params.genesisHash) throw wrongNetwork(rpc, params, `a chain that begins with block ${hash}`);
}

// Helpers

function wrongNetwork(rpc: EvmRpc, { network, chainId, genesisHash }: EvmChainParams, found: string): TerminalError {
  const expected = `chain id ${chainId}${genesisHash === null ? '' : ` beginning with block ${genesisHash}`}`;
  return new TerminalError(
    'WRONG_NETWORK',
    `${rpc.safeUrl} serves ${found}, but ${network} has ${expected}: set the URL of a node of ${network}`,
  );
}
