import { RetryableError } from '../../../platform/errors.ts';
import type { TokenTable } from '../built-in-tokens.ts';
import type { EvmRpc } from '../rpc/json-rpc.ts';
import { toQuantity, unusable } from '../rpc/read-response.ts';
import { isRangeTooLarge } from '../rpc/rpc-rejections.ts';
import { readHead } from './blocks.ts';
import type { LogRange, TokenTransfer } from './evm-node.ts';
import { asTopic, parseTransferLogs, TRANSFER_TOPIC, tokensByContract } from './parse-transfer-logs.ts';
import { LeftChainError } from './state-at.ts';

/**
 * Transfers of these tokens in a range of blocks, both ends included, in chain order. Providers
 * limit blocks or results per query, and change the limits at will; a rejected query is split in
 * halves. Throws `RetryableError` `NODE_RESPONSE_UNUSABLE` when the node lacks the last block, and
 * `LeftChainError` when it has another one.
 */
export async function fetchTokenTransfers(rpc: EvmRpc, tokens: TokenTable, range: LogRange): Promise<TokenTransfer[]> {
  const { end, recipients } = range;
  if (tokens.length === 0 || end.height < range.fromHeight) return [];
  const byContract = tokensByContract(tokens);
  const addresses = tokens.map((token) => token.contract);

  async function ask(fromHeight: number, toHeight: number): Promise<TokenTransfer[]> {
    const filter = {
      fromBlock: toQuantity(fromHeight),
      toBlock: toQuantity(toHeight),
      address: addresses,
      topics: [TRANSFER_TOPIC, ...(recipients === undefined ? [] : [null, recipients.map(asTopic)])],
    };
    // Several nodes may serve one URL. One that does not have the blocks yet returns no logs, just
    // like one whose blocks have none, so the same batch also requests the last block.
    const [lastBlock, logs] = await rpc.batch([
      { method: 'eth_getBlockByNumber', params: [toQuantity(toHeight), false] },
      { method: 'eth_getLogs', params: [filter] },
    ]);
    if (lastBlock === undefined || logs === undefined) throw unusable(undefined, 'two responses');
    if (!lastBlock.ok) throw lastBlock.error;
    if (lastBlock.result === null) {
      throw new RetryableError(
        'NODE_RESPONSE_UNUSABLE',
        `${rpc.safeUrl} no longer has block ${toHeight}, or does not have it yet`,
      );
    }
    if (toHeight === end.height && readHead(lastBlock.result).hash !== end.blockHash) throw new LeftChainError(end);
    if (logs.ok) {
      return parseTransferLogs(logs.result, byContract).map((transfer) => within(fromHeight, toHeight, transfer));
    }
    if (fromHeight === toHeight || !isRangeTooLarge(logs.error)) throw logs.error;
    const middle = Math.floor((fromHeight + toHeight) / 2);
    const first = await ask(fromHeight, middle);
    return [...first, ...(await ask(middle + 1, toHeight))];
  }

  const transfers = await ask(range.fromHeight, end.height);
  return transfers.sort((a, b) => a.height - b.height || a.logIndex - b.logIndex);
}

// Helpers

function within(fromHeight: number, toHeight: number, transfer: TokenTransfer): TokenTransfer {
  if (transfer.height >= fromHeight && transfer.height <= toHeight) return transfer;
  throw unusable(transfer.height, `a height from ${fromHeight} to ${toHeight}`);
}
