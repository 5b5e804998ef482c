import type { CryptoSymbol } from '../../../../machines/index.ts';
import type { Token, TokenTable } from '../built-in-tokens.ts';
import type { EvmRpc } from '../rpc/json-rpc.ts';
import { asBytes, unusable } from '../rpc/read-response.ts';
import { isFailedCall } from '../rpc/rpc-rejections.ts';

/**
 * A token that must not be watched: its amounts would be off by powers of ten, or it is not a
 * token.
 */
export interface TokenProblem {
  readonly symbol: CryptoSymbol;
  readonly contract: string;
  /** A sentence for operators: what was found, what was expected, what to fix. */
  readonly message: string;
}

/** Function selector of `decimals()`. */
const DECIMALS = '0x313ce567';
/** `decimals` is a `uint8` in ERC-20; some contracts return a wider number. */
const MAX_DECIMALS = 255n;
const WORD_CHARACTERS = 66;

/** Reads `decimals` of every contract. Returns an empty list if all match ours. */
export async function checkTokens(rpc: EvmRpc, tokens: TokenTable): Promise<TokenProblem[]> {
  const replies = await rpc.batch(
    tokens.map(({ contract }) => ({ method: 'eth_call', params: [{ to: contract, data: DECIMALS }, 'latest'] })),
  );
  return tokens.flatMap((token, index) => {
    const reply = replies[index];
    if (reply === undefined) throw unusable(undefined, 'the decimals of a token');
    if (!reply.ok && !isFailedCall(reply.error)) throw reply.error;
    const found = reply.ok ? asBytes(reply.result) : null;
    const problem = problemOf(token, found);
    return problem === null ? [] : [{ symbol: token.symbol, contract: token.contract, message: problem }];
  });
}

// Helpers

function problemOf({ symbol, contract, decimals }: Token, found: string | null): string | null {
  const remedy = `It is not watched. Check the address configured for ${symbol}`;
  if (found === '0x') return `No contract found at ${contract}, configured as ${symbol}. ${remedy}.`;
  if (found === null || found.length !== WORD_CHARACTERS || BigInt(found) > MAX_DECIMALS) {
    return `The contract at ${contract}, configured as ${symbol}, does not report its decimals (expected: ${decimals}). ${remedy}.`;
  }
  if (Number(found) === decimals) return null;
  return `The contract at ${contract}, configured as ${symbol}, has ${Number(found)} decimals (expected: ${decimals}). ${remedy}.`;
}
