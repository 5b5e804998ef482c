import type { UnixMs } from '../../../../machines/index.ts';

/**
 * Ids of outputs on account-based chains. An id depends on the chain and not on the watcher's
 * state, so every scan of a block gives the same ids.
 *
 * - `<txid>`: the value of a transaction, to its recipient
 * - `<txid>:<log index>`: one token transfer
 * - `<txid>:internal:<address>`: all that contracts sent to this address in the transaction. One
 *   output for the sum, because trace methods order single calls differently
 * - `balance:<address>:<height>:<first 16 digits of the block's hash>`: the increase of the balance
 *   in this block that nothing else explains. With the height alone, coins of two branches would
 *   have the same id and share a first-seen time
 * - `balance:<address>:<height>:<digits>:<first seen, Unix ms>`: coins of such an increase that
 *   were in another block before a reorganisation. The only id that depends on what the watcher saw
 */
export type OutputKind =
  | { readonly kind: 'native' }
  | { readonly kind: 'token'; readonly logIndex: number }
  | { readonly kind: 'internal' }
  | { readonly kind: 'balance'; readonly height: number; readonly hashPart: string };

const HASH_DIGITS = 16;

export function tokenOutputId(txid: string, logIndex: number): string {
  return `${txid}:${logIndex}`;
}

export function internalOutputId(txid: string, address: string): string {
  return `${txid}:internal:${address}`;
}

export function balanceOutputId(address: string, height: number, blockHash: string): string {
  return `balance:${address}:${height}:${hashPartOf(blockHash)}`;
}

export function partOutputId(increaseId: string, firstSeenAt: UnixMs): string {
  return `${increaseId}:${firstSeenAt}`;
}

/** Whether an output is this balance increase, or the part of it with another first-seen time. */
export function isOfIncrease(outputId: string, increaseId: string): boolean {
  return outputId === increaseId || outputId.startsWith(`${increaseId}:`);
}

/** Whether a balance id names this block. */
export function isNamedAfter({ hashPart }: { readonly hashPart: string }, blockHash: string): boolean {
  return hashPartOf(blockHash) === hashPart;
}

/** Parses an output id; throws a `RangeError` for an id that no EVM watcher creates. */
export function outputKind(outputId: string): OutputKind {
  const [first = '', second, third, hashPart = ''] = outputId.split(':');
  if (first === 'balance') {
    if (hashPart === '') throw unknownOutput(outputId);
    return { kind: 'balance', height: wholeNumber(third, outputId), hashPart };
  }
  if (second === undefined) return { kind: 'native' };
  if (second === 'internal') return { kind: 'internal' };
  return { kind: 'token', logIndex: wholeNumber(second, outputId) };
}

// Helpers

function hashPartOf(blockHash: string): string {
  return blockHash.replace('0x', '').slice(0, HASH_DIGITS);
}

function wholeNumber(text: string | undefined, outputId: string): number {
  const value = text === undefined || text === '' ? Number.NaN : Number(text);
  if (!Number.isSafeInteger(value) || value < 0) throw unknownOutput(outputId);
  return value;
}

function unknownOutput(outputId: string): RangeError {
  return new RangeError(`"${outputId}" names no output of this chain`);
}
