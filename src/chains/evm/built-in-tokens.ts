import { ASSETS, CRYPTO_SYMBOLS, type CryptoSymbol } from '../../../machines/index.ts';
import { TerminalError } from '../../platform/errors.ts';

/** A token contract that counts as one of our symbols on a network. */
export interface Token {
  readonly symbol: CryptoSymbol;
  /** Address in lower case. */
  readonly contract: string;
  readonly decimals: number;
}

export type TokenTable = readonly Token[];

type Contracts = Readonly<Partial<Record<CryptoSymbol, string>>>;

/**
 * Built-in contracts. Symbols are not unique on a chain: anyone can deploy another "USDT". So each
 * address has its EIP-55 checksum and is from the issuer or a token list whose maintainers have
 * money at stake.
 */
export const TOKENS_BY_NETWORK: Readonly<Record<string, Contracts>> = {
  /**
   * Uniswap's default token list: github.com/Uniswap/default-token-list, src/tokens/mainnet.json.
   */
  'ethereum-mainnet': {
    USDT: '0xdAC17F958D2ee523a2206206994597C13D831ec7',
    USDC: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
    EURC: '0x1aBaEA1f7C830bD89Acc67eC4af516284b1bC33c',
    DAI: '0x6B175474E89094C44Da98b954EedeAC495271d0F',
    WBTC: '0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599',
    SHIB: '0x95aD61b0a150d79219dCF64E1E6Cc01f0B64C4cE',
    PEPE: '0x6982508145454Ce325dDbE47a25d4ec3d2311933',
    LINK: '0x514910771AF9Ca656af840dff83E8264EcF986CA',
    UNI: '0x1f9840a85d5aF5bf1D1762F925BDADdC4201F984',
    AAVE: '0x7Fc66500c84A76Ad7e9c93437bFc5Ac33E2DDaE9',
    MKR: '0x9f8F72aA9304c8B593d555F12eF6589cC3A579A2',
  },
  /**
   * Sepolia. No authoritative list has SHIB, PEPE or MKR there: operators can configure a contract.
   */
  'ethereum-testnet': {
    // Circle, developers.circle.com/stablecoins (USDC and EURC contract addresses); faucet:
    // faucet.circle.com.
    USDC: '0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238',
    EURC: '0x08210F9170F89Ab7658F0B5E3fF39b0E03C594D4',
    // Chainlink, docs.chain.link/resources/link-token-contracts; faucet: faucets.chain.link.
    LINK: '0x779877A7B0D9E8603169DdbD7836e478b4624789',
    // Uniswap's default token list, src/tokens/sepolia.json.
    UNI: '0x1f9840a85d5aF5bf1D1762F925BDADdC4201F984',
    // Aave's faucet tokens (github.com/bgd-labs/aave-address-book, src/AaveV3Sepolia.sol).
    USDT: '0xaA8E23Fb1079EA71e0a56F48a2aA51851D8433D0',
    DAI: '0xFF34B3d4Aee8ddCd6F9AFFFB6Fe49bD371b8a357',
    WBTC: '0x29f2D40B0605204364af54EC677bD022dA425d03',
    AAVE: '0x88541670E55cC00bEEFD87eB59EDd1b7C511AC9a',
  },
  'ethereum-regtest': {},
};

/**
 * The tokens to watch on a network: the built-in ones, replaced or extended by the operator's
 * contracts, which `parseTokenContracts` has checked. Decimals are always those we quote with;
 * `checkTokens` compares them with the contract's. Throws `TerminalError` `TOKEN_TABLE_INVALID`
 * when two symbols have one contract: each payment would also count as the other token.
 */
export function tokenTable(network: string, overrides: Contracts = {}): TokenTable {
  const contracts: Contracts = { ...TOKENS_BY_NETWORK[network], ...overrides };
  const owners = new Map<string, CryptoSymbol>();
  return CRYPTO_SYMBOLS.flatMap((symbol) => {
    const contract = contracts[symbol]?.toLowerCase();
    if (contract === undefined) return [];
    const owner = owners.get(contract);
    if (owner !== undefined) {
      const problem = `${owner} and ${symbol} have the same contract ${contract}; one must be wrong`;
      throw new TerminalError('TOKEN_TABLE_INVALID', problem);
    }
    owners.set(contract, symbol);
    return [{ symbol, contract, decimals: ASSETS[symbol].decimals }];
  });
}
