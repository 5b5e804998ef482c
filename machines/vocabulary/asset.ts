/**
 * The coins and tokens Quittance prices and recognises. `decimals` is the chain's precision;
 * `quoteDecimals` is the precision of quoted amounts, chosen so that every quote is exact as a JSON
 * number. `chain` is the chain whose address receives it.
 */

export const CRYPTO_SYMBOLS = [
  'BTC',
  'LTC',
  'DOGE',
  'DASH',
  'ETH',
  'USDT',
  'USDC',
  'EURC',
  'DAI',
  'WBTC',
  'SHIB',
  'PEPE',
  'LINK',
  'UNI',
  'AAVE',
  'MKR',
] as const;
export type CryptoSymbol = (typeof CRYPTO_SYMBOLS)[number];

export const FIAT_CURRENCIES = ['USD', 'PLN', 'EUR', 'GBP'] as const;
export type FiatCurrency = (typeof FIAT_CURRENCIES)[number];

/** The chain that carries an asset. An ERC-20 token is paid to an Ethereum address. */
export const CHAINS = ['bitcoin', 'litecoin', 'dogecoin', 'dash', 'ethereum'] as const;
export type Chain = (typeof CHAINS)[number];

/** What an address holds: outputs of transactions, or (EVM) an account's balances. */
export type ChainFamily = 'utxo' | 'evm';

/** The family of a chain: what watchers, timers and keys treat differently. */
export function familyOf(chain: Chain): ChainFamily {
  return chain === 'ethereum' ? 'evm' : 'utxo';
}

export interface Asset {
  readonly symbol: CryptoSymbol;
  readonly name: string;
  readonly chain: Chain;
  readonly family: ChainFamily;
  readonly type: 'coin' | 'token';
  readonly decimals: number;
  readonly quoteDecimals: number;
  /** Pegged to a fiat currency: its quotes stay open longer. */
  readonly stable: boolean;
}

function coin(symbol: CryptoSymbol, name: string, chain: Chain, decimals: number, quoteDecimals: number): Asset {
  return {
    symbol,
    name,
    chain,
    family: familyOf(chain),
    type: 'coin',
    decimals,
    quoteDecimals,
    stable: false,
  };
}

function token(symbol: CryptoSymbol, name: string, decimals: number, quoteDecimals: number, stable = false): Asset {
  return {
    symbol,
    name,
    chain: 'ethereum',
    family: 'evm',
    type: 'token',
    decimals,
    quoteDecimals,
    stable,
  };
}

export const ASSETS: { readonly [S in CryptoSymbol]: Asset } = {
  BTC: coin('BTC', 'Bitcoin', 'bitcoin', 8, 8),
  LTC: coin('LTC', 'Litecoin', 'litecoin', 8, 8),
  DOGE: coin('DOGE', 'Dogecoin', 'dogecoin', 8, 4),
  DASH: coin('DASH', 'Dash', 'dash', 8, 8),
  ETH: coin('ETH', 'Ether', 'ethereum', 18, 8),
  USDT: token('USDT', 'Tether USD', 6, 6, true),
  USDC: token('USDC', 'USD Coin', 6, 6, true),
  EURC: token('EURC', 'Euro Coin', 6, 6, true),
  DAI: token('DAI', 'Dai', 18, 6, true),
  WBTC: token('WBTC', 'Wrapped Bitcoin', 8, 8),
  SHIB: token('SHIB', 'Shiba Inu', 18, 2),
  PEPE: token('PEPE', 'Pepe', 18, 2),
  LINK: token('LINK', 'Chainlink', 18, 6),
  UNI: token('UNI', 'Uniswap', 18, 6),
  AAVE: token('AAVE', 'Aave', 18, 6),
  MKR: token('MKR', 'Maker', 18, 6),
};

/** True for one of the 16 symbols, exactly as written (case matters). */
export function isCryptoSymbol(value: unknown): value is CryptoSymbol {
  return typeof value === 'string' && Object.hasOwn(ASSETS, value);
}
