import { ASSETS, CRYPTO_SYMBOLS, type CryptoSymbol } from '../../../machines/index.ts';
import { hasEvmAddressForm, isEvmAddress } from '../evm-address.ts';
import { bad, good, jsonObject, type Parsed } from './parsers.ts';

/** Token contracts as configured: `0x` and 40 hex digits, with or without an EIP-55 checksum. */
export type TokenContracts = { readonly [S in CryptoSymbol]?: string };

/** The symbols of tokens, which are paid to an address of their chain. */
export const TOKEN_SYMBOLS: readonly CryptoSymbol[] = CRYPTO_SYMBOLS.filter(
  (symbol) => ASSETS[symbol].type === 'token',
);

/**
 * Parses `{"USDC": "0xA0b8…"}`: the contract of each token on the node's network. Mixed-case
 * addresses must have a valid EIP-55 checksum; lower-case ones have none. `problem` names every
 * invalid entry and is phrased as the end of a sentence about the text. Payments in the token of a
 * wrong contract would never be detected.
 */
export function parseTokenContracts(json: string): Parsed<TokenContracts> {
  const given = jsonObject(json, EXAMPLE);
  if (!given.ok) return given;
  const contracts: { [S in CryptoSymbol]?: string } = {};
  const problems: string[] = [];
  for (const [symbol, contract] of Object.entries(given.value)) {
    if (!isToken(symbol)) problems.push(`has ${JSON.stringify(symbol)}, which is not a supported token; ${KNOWN}`);
    else if (!isContract(contract)) problems.push(contractMistake(symbol, contract));
    else contracts[symbol] = contract;
  }
  problems.push(...sharedContracts(contracts));
  if (Object.keys(given.value).length === 0) problems.push(`has no tokens; ${EXAMPLE}`);
  return problems.length === 0 ? good(contracts) : bad(problems.join(', and '));
}

// Helpers

const EXAMPLE = 'use a form such as {"USDC":"0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"}';
const ZERO_ADDRESS = `0x${'0'.repeat(40)}`;
const KNOWN = `known symbols are ${TOKEN_SYMBOLS.join(', ')}`;

function isToken(symbol: string): symbol is CryptoSymbol {
  return (TOKEN_SYMBOLS as readonly string[]).includes(symbol);
}

function isContract(contract: unknown): contract is string {
  return typeof contract === 'string' && isEvmAddress(contract) && contract !== ZERO_ADDRESS;
}

function contractMistake(symbol: string, contract: unknown): string {
  const hasForm = typeof contract === 'string' && hasEvmAddressForm(contract);
  if (!hasForm || contract === ZERO_ADDRESS) {
    return `has no contract address for ${symbol}: use 0x and 40 hex digits`;
  }
  return `has a contract for ${symbol} with a wrong checksum (EIP-55): copy the address again`;
}

/** Rejects two symbols with one contract: each payment would also count as the other token. */
function sharedContracts(contracts: TokenContracts): string[] {
  const symbols = new Map<string, string[]>();
  for (const [symbol, contract] of Object.entries(contracts)) {
    const key = contract.toLowerCase();
    symbols.set(key, [...(symbols.get(key) ?? []), symbol]);
  }
  return [...symbols.values()]
    .filter((sharing) => sharing.length > 1)
    .map((sharing) => `gives ${sharing.join(' and ')} the same contract`);
}
