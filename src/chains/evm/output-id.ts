import type { UnixMs } from '../../../machines/index.ts';

/**
 * How payments to an account are named. A name depends on the chain and not on what the watcher
 * remembers, so every scan of a block gives the same names.
 *
 * - `<txid>`: the value of a transaction, to its recipient
 * - `<txid>:<log index>`: one token transfer
 * - `<txid>:internal:<address>`: all that contracts sent to this address while the transaction ran.
 *   One output for the sum, because the order of single calls differs between the ways nodes trace
 * - `balance:<address>:<height>:<first 16 digits of the block's hash>`: what the balance rose by in
 *   this block beyond everything that explains it. With a height alone, coins of two branches would
 *   have one name and share a first sighting
 * - `balance:<address>:<height>:<digits>:<first seen, Unix ms>`: coins of such a rise that were in
 *   another block before a reorganisation. The one name that depends on what was seen
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

export function partOutputId(riseId: string, firstSeenAt: UnixMs): string {
  return `${riseId}:${firstSeenAt}`;
}

/** Whether an output is this one, or the part of this rise that was first seen at another time. */
export function isOfRise(outputId: string, riseId: string): boolean {
  return outputId === riseId || outputId.startsWith(`${riseId}:`);
}

/** Whether a rise is named after this block. Names of earlier versions have no hash and fit any. */
export function isNamedAfter({ hashPart }: { readonly hashPart: string }, blockHash: string): boolean {
  return hashPartOf(blockHash).startsWith(hashPart);
}

/** Reads the name of an output; throws a `RangeError` for a name that no watcher of this kind gives. */
export function outputKind(outputId: string): OutputKind {
  const [first = '', second, third, fourth = ''] = outputId.split(':');
  if (first === 'balance') return { kind: 'balance', height: wholeNumber(third, outputId), hashPart: fourth };
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
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`"${outputId}" names no output of this chain`);
  return value;
}
