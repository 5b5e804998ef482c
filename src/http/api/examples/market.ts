const UPDATED_AT = '2026-11-21T09:59:40.000Z';
const price = (usd: number) => ({ usd, updated_at: UPDATED_AT, sources: ['binance', 'coinbase', 'kraken'] });

const LITECOIN = { symbol: 'LTC', name: 'Litecoin', blockchain: 'Litecoin', network: 'mainnet', type: 'coin' };
const USDC = { symbol: 'USDC', name: 'USD Coin', blockchain: 'Ethereum', network: 'mainnet', type: 'token' };

export const PRICES_RESPONSE = {
  success: true,
  data: {
    base: 'USD',
    updated_at: UPDATED_AT,
    crypto: { BTC: price(64_210.5), LTC: price(80), USDC: price(1) },
    fiat: { USD: 1, EUR: 1.08, GBP: 1.27, PLN: 0.25 },
  },
};

export const CATALOGUE_RESPONSE = { success: true, data: [LITECOIN, USDC] };
export const MERCHANT_CATALOGUE_RESPONSE = { success: true, data: [LITECOIN] };
