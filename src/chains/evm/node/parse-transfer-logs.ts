import type { CryptoSymbol } from '../../../../machines/index.ts';
import type { TokenTable } from '../built-in-tokens.ts';
import { asAddress, asBytes, asCount, asHash, asList, asRecord } from '../rpc/read-response.ts';
import type { TokenTransfer } from './evm-node.ts';

/** Symbols by contract address in lower case. */
export type TokensByContract = ReadonlyMap<string, CryptoSymbol>;

/** keccak-256 of `Transfer(address,address,uint256)`, shared by ERC-20 and ERC-721. */
export const TRANSFER_TOPIC = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

/** Signature, sender and recipient. ERC-721 indexes the token id as well and has four topics. */
const TRANSFER_TOPICS = 3;
const WORD_BYTES = 32;
const WORD_CHARACTERS = 2 + 2 * WORD_BYTES;
/** Topics are padded to 32 bytes; an address is the last 20 of them. */
const ADDRESS_PADDING = `0x${'00'.repeat(12)}`;

export function tokensByContract(tokens: TokenTable): TokensByContract {
  return new Map(tokens.map((token) => [token.contract, token.symbol]));
}

/** An address as an indexed argument of an event. */
export function asTopic(address: string): string {
  return `${ADDRESS_PADDING}${address.slice(2)}`;
}

/**
 * The ERC-20 transfers among logs, in order. Skips other events, other contracts, ERC-721 and logs
 * removed by a reorganisation. Throws `RetryableError` `NODE_RESPONSE_UNUSABLE` for anything that
 * is not a list of logs of mined blocks.
 */
export function parseTransferLogs(logs: unknown, tokens: TokensByContract): TokenTransfer[] {
  return asList(logs).flatMap((log) => {
    const transfer = readTransfer(log, tokens);
    return transfer === null ? [] : [transfer];
  });
}

// Helpers

function readTransfer(value: unknown, tokens: TokensByContract): TokenTransfer | null {
  const log = asRecord(value);
  const token = tokens.get(asAddress(log.address));
  if (token === undefined || log.removed === true) return null;
  const topics = asList(log.topics).map(asHash);
  const [signature, from = '', to = ''] = topics;
  if (signature !== TRANSFER_TOPIC) return null;
  const data = asBytes(log.data);
  if (topics.length !== TRANSFER_TOPICS || data.length !== WORD_CHARACTERS) return null;
  if (!from.startsWith(ADDRESS_PADDING) || !to.startsWith(ADDRESS_PADDING)) return null;
  return {
    token,
    from: `0x${from.slice(ADDRESS_PADDING.length)}`,
    to: `0x${to.slice(ADDRESS_PADDING.length)}`,
    amountBaseUnits: BigInt(data),
    txid: asHash(log.transactionHash),
    logIndex: asCount(log.logIndex),
    height: asCount(log.blockNumber),
    blockHash: asHash(log.blockHash),
  };
}
