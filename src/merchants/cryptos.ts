import type { Kysely } from 'kysely';
import { ASSETS, type CryptoSymbol, isCryptoSymbol, type Mode } from '../../machines/index.ts';
import type { Database } from '../platform/db/index.ts';
import { CHAIN_ADDRESSING, parseNetworkName } from '../wallets/index.ts';
import type { MerchantSettings } from './settings.ts';

/** A coin or token as listed by the interface. */
export interface Cryptocurrency {
  readonly symbol: CryptoSymbol;
  readonly name: string;
  /** Display name of its blockchain. */
  readonly blockchain: string;
  readonly network: 'mainnet' | 'testnet' | 'regtest' | 'simulated';
  readonly type: 'coin' | 'token';
}

/** `network` is the network it is paid on, such as `litecoin-testnet`. */
export function describeCrypto(symbol: CryptoSymbol, network: string): Cryptocurrency {
  const { name, chain, type } = ASSETS[symbol];
  const { kind, simulated } = parseNetworkName(network);
  return { symbol, name, blockchain: CHAIN_ADDRESSING[chain].name, network: simulated ? 'simulated' : kind, type };
}

/** The coins with the one that the merchant recommends first; the others keep their order. */
export function recommendedFirst<T extends { readonly symbol: CryptoSymbol }>(
  coins: readonly T[],
  { recommendedCrypto }: Pick<MerchantSettings, 'recommendedCrypto'>,
): T[] {
  const isFirst = ({ symbol }: T) => symbol === recommendedCrypto;
  return [...coins.filter(isFirst), ...coins.filter((coin) => !isFirst(coin))];
}

/** The coins and networks for which a merchant has wallets of a mode, unordered. */
export async function findWalletCryptos(
  db: Kysely<Database>,
  { merchantId, mode }: { readonly merchantId: string; readonly mode: Mode },
): Promise<{ readonly crypto: CryptoSymbol; readonly network: string }[]> {
  const rows = await db
    .selectFrom('wallet')
    .innerJoin('derivation_key', 'derivation_key.id', 'wallet.derivation_key_id')
    .select(['wallet.crypto', 'wallet.network'])
    .where('wallet.merchant_id', '=', merchantId)
    .where('derivation_key.mode', '=', mode)
    .execute();
  return rows.flatMap(({ crypto, network }) => (isCryptoSymbol(crypto) ? [{ crypto, network }] : []));
}
