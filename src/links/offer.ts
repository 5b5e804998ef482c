import type { CryptoSymbol } from '../../machines/index.ts';
import type { Clock } from '../clock.ts';
import { whileDatabaseAnswers } from '../db/index.ts';
import { actFor, type Cryptocurrency } from '../merchants/index.ts';
import { type CreateDeps, listPayableCryptos } from '../payments/index.ts';
import { quote } from '../rates/index.ts';
import { centsText } from './amount.ts';
import { isCode } from './code.ts';
import { findLinkByCode, type PaymentLink } from './link.ts';
import { type LinkRefusal, refusalOf } from './refusal.ts';
import { findPaymentsInProgress } from './under-way.ts';

export type OfferDeps = Pick<CreateDeps, 'db' | 'networks' | 'overview' | 'rates'> & { readonly clock: Clock };

/** What a visitor of a link's short address can do. */
export interface LinkOffer {
  readonly link: PaymentLink;
  readonly merchantName: string;
  /** The coins it can be paid in now, in the order of the service. */
  readonly coins: readonly OfferedCoin[];
  /** Null while it can be paid. */
  readonly refusal: LinkRefusal | null;
}

export interface OfferedCoin extends Cryptocurrency {
  /**
   * What a fixed price is in this coin at the rate now, in whole coins: the payment fixes the rate.
   * Null where the payer chooses the amount, and without a rate.
   */
  readonly amount: string | null;
}

/** The offer of the link with that code; null when there is none. */
export async function findOffer(deps: OfferDeps, code: string): Promise<LinkOffer | null> {
  const link = isCode(code) ? await findLinkByCode(deps.db, code) : null;
  if (link === null) return null;
  const now = deps.clock.now();
  const [merchantName, coins, inProgress] = await Promise.all([
    nameOf(deps, link),
    coinsOf(deps, link),
    link.maxUses === null ? [] : findPaymentsInProgress(deps.db, link, now),
  ]);
  const confirming = inProgress.filter(({ holdsUse }) => holdsUse).length;
  return { link, merchantName, coins, refusal: refusalOf(link, confirming, now) };
}

// Helpers

async function nameOf({ db }: OfferDeps, { merchantId }: PaymentLink): Promise<string> {
  const row = await whileDatabaseAnswers(() =>
    db.selectFrom('merchant').select('name').where('id', '=', merchantId).executeTakeFirstOrThrow(),
  );
  return row.name;
}

async function coinsOf(deps: OfferDeps, link: PaymentLink): Promise<OfferedCoin[]> {
  const payable = await listPayableCryptos(deps, await actFor(deps.db, link));
  return payable
    .filter(({ symbol }) => link.cryptos.length === 0 || link.cryptos.includes(symbol))
    .map((coin) => ({ ...coin, amount: amountIn(deps, link, coin.symbol) }));
}

function amountIn({ rates }: OfferDeps, { price, currency, mode }: PaymentLink, symbol: CryptoSymbol): string | null {
  if (price.kind === 'open') return null;
  const table = rates.forMode(mode);
  const [crypto, fiat] = [table.get(symbol), table.getFiat(currency)];
  if (crypto === null || fiat === null) return null;
  try {
    const request = { amountFiat: centsText(price.cents), currency, symbol, fiatUsd: fiat.usd, cryptoUsd: crypto.usd };
    return quote(request).amountCrypto;
  } catch {
    // More of this coin than one payment can carry.
    return null;
  }
}
