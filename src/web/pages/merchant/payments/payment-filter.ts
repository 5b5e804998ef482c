import type { TransactionException, TransactionStatus, TransactionType } from '../../../../../machines/index.ts';
import type { PaymentFilter } from '../../../../http/console/merchant/payments/schemas.ts';
import { EXCEPTION_WORDS, STATUS_WORDS } from '../../../ui/values/payment-status-badge.tsx';

type Coin = NonNullable<PaymentFilter['crypto']>;

/** Every coin and token with its common name. */
export const COIN_NAMES: Readonly<Record<Coin, string>> = {
  BTC: 'Bitcoin',
  LTC: 'Litecoin',
  DOGE: 'Dogecoin',
  DASH: 'Dash',
  ETH: 'Ether',
  USDT: 'Tether USD',
  USDC: 'USD Coin',
  EURC: 'Euro Coin',
  DAI: 'Dai',
  WBTC: 'Wrapped Bitcoin',
  SHIB: 'Shiba Inu',
  PEPE: 'Pepe',
  LINK: 'Chainlink',
  UNI: 'Uniswap',
  AAVE: 'Aave',
  MKR: 'Maker',
};

export const TYPE_NAMES: Readonly<Record<TransactionType, string>> = {
  basic: 'One amount',
  detailed: 'List of items',
  billing: 'Plan payment',
};

/** The filter in a URL. Unknown values are ignored. */
export function filterIn(query: URLSearchParams): PaymentFilter {
  const text = (name: keyof PaymentFilter) => query.get(name)?.trim() || undefined;
  const filter = {
    status: known<TransactionStatus>(STATUS_WORDS, query.get('status')),
    exception: known<TransactionException>(EXCEPTION_WORDS, query.get('exception')),
    crypto: known<Coin>(COIN_NAMES, query.get('crypto')),
    type: known<TransactionType>(TYPE_NAMES, query.get('type')),
    from: text('from'),
    to: text('to'),
    search: text('search'),
  };
  // `Object.fromEntries` loses which name has which type.
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)) as PaymentFilter;
}

/** How many fields of a filter are set, without its search. */
export function countOf({ search: _, ...fields }: PaymentFilter): number {
  return Object.keys(fields).length;
}

// Helpers

function known<Name extends string>(names: Readonly<Record<Name, unknown>>, text: string | null): Name | undefined {
  // Own properties only: the URL may contain `toString`.
  return text !== null && Object.hasOwn(names, text) ? (text as Name) : undefined;
}
