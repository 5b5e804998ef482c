import { Type } from 'typebox';
import { CRYPTO_SYMBOLS, FIAT_CURRENCIES } from '../../../../machines/index.ts';
import { CryptoSymbol, ExactNumber, oneOf, ref, Timestamp } from './primitives.ts';

export const Price = Type.Object(
  {
    usd: ExactNumber('USD per whole coin.'),
    updated_at: Timestamp('Time of the oldest price in it.'),
    sources: Type.Array(Type.String(), {
      description:
        'The sources that agree on it. `sample` alone: an invented rate for test keys, never used for live payments.',
    }),
  },
  { $id: 'Price', description: 'Price of one whole coin.' },
);

export const PricesEnvelope = Type.Object(
  {
    success: Type.Literal(true),
    data: Type.Object({
      base: Type.Literal('USD'),
      updated_at: Timestamp('The oldest `updated_at` of these rates.'),
      crypto: Type.Object(Object.fromEntries(CRYPTO_SYMBOLS.map((symbol) => [symbol, Type.Optional(ref(Price))])), {
        description: 'By symbol. A coin without a current rate is left out and cannot be quoted.',
      }),
      fiat: Type.Object(
        Object.fromEntries(
          FIAT_CURRENCIES.map((currency) => [
            currency,
            Type.Optional(ExactNumber(`USD per ${currency}, as in \`fiat_to_usd_rate\`.`)),
          ]),
        ),
        { description: 'By currency. One without a current rate is left out.' },
      ),
    }),
  },
  { $id: 'PricesEnvelope', description: 'The rates that a payment created now would use.' },
);

export const Cryptocurrency = Type.Object(
  {
    symbol: ref(CryptoSymbol),
    name: Type.String(),
    blockchain: Type.String({ description: 'The blockchain, e.g. Ethereum for ERC-20 tokens.' }),
    network: oneOf(['mainnet', 'testnet', 'regtest', 'simulated'], {
      description:
        'The network of payments with your key: for test keys `simulated`, or `testnet` or `regtest` if the operator has connected test nodes.',
    }),
    type: oneOf(['coin', 'token']),
  },
  { $id: 'Cryptocurrency', description: 'A coin or token.' },
);

export const CryptocurrencyListEnvelope = Type.Object(
  { success: Type.Literal(true), data: Type.Array(ref(Cryptocurrency)) },
  { $id: 'CryptocurrencyListEnvelope', description: 'Coins and tokens.' },
);

export const BalanceListEnvelope = Type.Object(
  { success: Type.Literal(true), data: Type.Array(Type.Object({}), { maxItems: 0, description: 'Always empty.' }) },
  { $id: 'BalanceListEnvelope', description: 'An empty list: coins go straight to your own wallets.' },
);
