import { TerminalError } from '../../platform/errors.ts';
import type { UtxoChainParams } from './chain-params.ts';
import type { UtxoNode } from './node.ts';

/** Throws a `TerminalError` `WRONG_NETWORK` unless the node has the network's genesis block. */
export async function requireNetwork(
  node: Pick<UtxoNode, 'blockHashes'>,
  { network, genesisHash }: Pick<UtxoChainParams, 'network' | 'genesisHash'>,
): Promise<void> {
  const [found] = await node.blockHashes([0]);
  if (found === genesisHash) return;
  throw new TerminalError(
    'WRONG_NETWORK',
    `the node is not on ${network}: its first block is ${found}, expected ${genesisHash}. ` +
      'Point the RPC URL at a node of this network, or correct the configured network.',
  );
}
