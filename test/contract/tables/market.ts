import type { FieldTable, Type } from '../check.ts';
import { CRYPTO_SYMBOLS, FIAT_CURRENCIES } from './values.ts';

/** Catalogue entry. What `network` can be is a decision of the service. */
const CRYPTOCURRENCY: FieldTable = {
  symbol: { type: { oneOf: CRYPTO_SYMBOLS }, required: 'no' },
  name: { type: 'string', required: 'no' },
  blockchain: { type: 'string', required: 'no' },
  network: { type: { oneOf: ['mainnet', 'testnet', 'regtest', 'simulated'] }, required: 'no' },
  type: { type: { oneOf: ['coin', 'token'] }, required: 'no' },
};

export const CRYPTOCURRENCIES: Type = { listOf: { fields: CRYPTOCURRENCY } };

const PRICE: FieldTable = {
  usd: { type: 'number', required: 'yes' },
  updated_at: { type: 'date-time', required: 'yes' },
  sources: { type: { listOf: 'string' }, required: 'yes' },
};

/** A decision of the service: the interface says "current crypto and fiat rates, USD-denominated". */
export const PRICES: FieldTable = {
  base: { type: { oneOf: ['USD'] }, required: 'yes' },
  updated_at: { type: 'date-time', required: 'yes' },
  crypto: { type: { byName: { fields: PRICE }, names: CRYPTO_SYMBOLS }, required: 'yes' },
  fiat: { type: { byName: 'number', names: FIAT_CURRENCIES }, required: 'yes' },
};
