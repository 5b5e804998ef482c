import { Type } from 'typebox';
import { CRYPTO_SYMBOLS, FIAT_CURRENCIES } from '../../../../machines/index.ts';
import { CryptoSymbol, ExactNumber, Timestamp } from './primitives.ts';
import { oneOf, ref } from './ref.ts';

export const Price = Type.Object(
  {
    usd: ExactNumber('USD per whole coin.'),
    updated_at: Timestamp('When the oldest of the answers in it was given.'),
    sources: Type.Array(Type.String(), {
      description: 'Who agrees on it. `sample` alone: made up, for test keys; no live payment uses it.',
    }),
  },
  { $id: 'Price', description: 'What one whole coin costs.' },
);

export const PricesEnvelope = Type.Object(
  {
    success: Type.Literal(true),
    data: Type.Object({
      base: Type.Literal('USD'),
      updated_at: Timestamp('The oldest `updated_at` of the rates below.'),
      crypto: Type.Object(Object.fromEntries(CRYPTO_SYMBOLS.map((symbol) => [symbol, Type.Optional(ref(Price))])), {
        description: 'By symbol; a coin without a current rate is left out, and cannot be quoted either.',
      }),
      fiat: Type.Object(
        Object.fromEntries(
          FIAT_CURRENCIES.map((currency) => [
            currency,
            Type.Optional(ExactNumber(`USD per ${currency}, as in \`fiat_to_usd_rate\`.`)),
          ]),
        ),
        { description: 'By currency; one without a current rate is left out.' },
      ),
    }),
  },
  { $id: 'PricesEnvelope', description: 'The rates that a payment created now would use.' },
);

export const Cryptocurrency = Type.Object(
  {
    symbol: ref(CryptoSymbol),
    name: Type.String(),
    blockchain: Type.String({ description: 'The blockchain that carries it, e.g. Ethereum for tokens (ERC-20).' }),
    network: oneOf(['mainnet', 'testnet', 'regtest', 'simulated'], {
      description:
        'The network that payments of your key use: for test keys `simulated`, or `testnet` or `regtest` where the operator has connected test nodes.',
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
  { $id: 'BalanceListEnvelope', description: 'Nothing: coins go straight to your own wallets.' },
);
