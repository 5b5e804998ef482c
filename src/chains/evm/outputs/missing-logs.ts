import { HOUR_MS, MINUTE_MS, type UnixMs } from '../../../../machines/index.ts';
import { RetryableError } from '../../../platform/errors.ts';
import type { Account, Cursor } from '../../port.ts';
import { accountKey } from '../balance-check/account-flows.ts';
import type { EvmMemory, MissingLogs } from '../evm-memory.ts';
import type { EvmNode, LogRange, SecondEndpoint, TokenTransfer } from '../node/evm-node.ts';
import { isPayment } from './arrivals.ts';
import { tokenOutputId } from './output-id.ts';

/** Providers that index late need minutes, incidents last longer. */
const SEARCH_EVERY_MS = 2 * MINUTE_MS;
/** A younger difference is usually explained by the next poll. */
const SHOWN_AFTER_MS = 2 * MINUTE_MS;
/** How long logs of an account are searched for after its balance was compared last. */
const FORGOTTEN_MS = 3 * HOUR_MS;

export function createMissingLogs(): MissingLogs {
  const missing = new Map<string, Missing>();
  let searchAt = 0;

  function forgetOld(now: UnixMs): void {
    for (const [key, { at }] of missing) if (now - at >= FORGOTTEN_MS) missing.delete(key);
  }

  return {
    record({ watchKey, asset }, baseUnits, now) {
      const key = accountKey({ watchKey, asset });
      const since = missing.get(key)?.since ?? now;
      if (baseUnits > 0n) missing.set(key, { watchKey, asset, baseUnits, since, at: now });
      else missing.delete(key);
    },
    found(output) {
      const key = accountKey(output);
      const before = missing.get(key);
      if (before === undefined) return;
      const baseUnits = before.baseUnits - output.amountBaseUnits;
      if (baseUnits > 0n) missing.set(key, { ...before, baseUnits });
      else missing.delete(key);
    },
    isNewerThan: (ageMs, now) => [...missing.values()].some(({ since }) => now - since < ageMs),
    due(now) {
      forgetOld(now);
      if (missing.size === 0 || now < searchAt) return [];
      searchAt = now + SEARCH_EVERY_MS;
      return [...new Set([...missing.values()].map(({ watchKey }) => watchKey))];
    },
    warnings(now) {
      forgetOld(now);
      return [...missing.values()].filter(({ since }) => now - since >= SHOWN_AFTER_MS).map(warningOf);
    },
  };
}

/**
 * Token transfers of the blocks in memory in which such an address was paid by a log not seen
 * before; all transfers of these blocks, because a list of fewer would prove nothing. From the
 * second endpoint, since the first has left logs out; from the first if the second has none. None
 * when that fails: the poll goes on, and the search is repeated.
 */
export async function searchMissingLogs(
  node: EvmNode,
  memory: EvmMemory,
  recipients: readonly string[],
  end: Cursor | null,
): Promise<TokenTransfer[]> {
  const oldest = memory.chain.oldest();
  if (recipients.length === 0 || oldest === null || end === null) return [];
  const range = { fromHeight: oldest.height + 1, end, recipients };
  const found = await searchAt(node.second, memory, range);
  return found.length > 0 ? found : searchAt(node, memory, range);
}

// Helpers

async function searchAt(
  source: SecondEndpoint,
  { chain, seenLogs }: EvmMemory,
  range: LogRange,
): Promise<TokenTransfer[]> {
  const paid = await orNone(source.tokenTransfers(range));
  const isNew = ({ txid, height, blockHash, logIndex }: TokenTransfer) => {
    const block = chain.at(height);
    if (block?.blockHash !== blockHash || seenLogs.get(blockHash)?.logIndexes.has(logIndex) === true) return false;
    return block.outputs.every(({ outputId }) => outputId !== tokenOutputId(txid, logIndex));
  };
  const isMissing = (transfer: TokenTransfer) => isPayment(transfer) && isNew(transfer);
  const blocks = new Map(paid.filter(isMissing).map(({ height, blockHash }) => [height, blockHash]));
  const found: TokenTransfer[] = [];
  for (const [height, blockHash] of blocks) {
    const all = await orNone(source.tokenTransfers({ fromHeight: height, end: { height, blockHash } }));
    // Another machine may have answered, about a sibling of the block.
    if (all.every((transfer) => transfer.blockHash === blockHash)) found.push(...all);
  }
  return found;
}

interface Missing extends Account {
  readonly baseUnits: bigint;
  readonly since: UnixMs;
  /** When the balance was compared last. */
  readonly at: UnixMs;
}

async function orNone(search: Promise<TokenTransfer[] | null>): Promise<TokenTransfer[]> {
  try {
    return (await search) ?? [];
  } catch (error) {
    if (error instanceof RetryableError) return [];
    throw error;
  }
}

function warningOf({ watchKey, asset }: Account): string {
  return (
    `The ${asset} balance of ${watchKey} is higher than its transfers: the node may omit some, and a payment may be ` +
    'missing. They are searched for; if this stays, compare the node with another one and run `quittance chain rescan`.'
  );
}
