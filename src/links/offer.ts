import { ASSETS, CRYPTO_SYMBOLS, type CryptoSymbol, type FiatCurrency } from '../../machines/index.ts';
import { type Brand, brandOf, type Cryptocurrency, callerForMerchant, recommendedFirst } from '../merchants/index.ts';
import { type ChainOverview, type CreateDeps, listPayableCryptos, type Scope } from '../payments/index.ts';
import type { Clock } from '../platform/clock.ts';
import { fiatCents, quote } from '../rates/index.ts';
import { centsText, readCents } from './amount.ts';
import { isCode } from './code.ts';
import { findLinkByCode, type LinkPrice, type PaymentLink } from './link.ts';
import { findPaymentsInProgress } from './payments-in-progress.ts';
import { type LinkRejection, rejectionOf } from './rejection.ts';

export interface OfferDeps extends Pick<CreateDeps, 'db' | 'networks' | 'rates'> {
  readonly overview: Pick<ChainOverview, 'isWatched' | 'isPayable' | 'transferFee'>;
  readonly clock: Clock;
}

/** What a visitor sees of the merchant. */
export interface Shop {
  readonly merchantName: string;
  readonly brand: Brand;
}

/** What a visitor can pay for, and in which coins. */
export interface Offer extends Shop {
  readonly mode: Scope['mode'];
  /** What is bought; null when only the price is known. */
  readonly title: string | null;
  /** More about what is bought; null when the merchant wrote nothing. */
  readonly description: string | null;
  /** Shows what is bought; null for none. */
  readonly imageId: string | null;
  readonly price: LinkPrice;
  readonly currency: FiatCurrency;
  /** The coins it can be paid in now: the recommended one, then in the order of the service. */
  readonly coins: readonly OfferedCoin[];
}

/** What a visitor of a link's short address can do. */
export interface LinkOffer extends Offer {
  readonly link: PaymentLink;
  /** Null while it can be paid. */
  readonly rejection: LinkRejection | null;
}

export interface OfferedCoin extends Cryptocurrency {
  /**
   * What a fixed price is in this coin at the rate now, in whole coins: the payment fixes the rate.
   * Null where the payer chooses the amount, and without a rate.
   */
  readonly amount: string | null;
  /** What sending it usually costs now, in cents of the price's currency; null when unknown. */
  readonly feeCents: bigint | null;
  readonly isRecommended: boolean;
}

/** The offer of the link with that code; null when there is none. */
export async function findOffer(deps: OfferDeps, code: string): Promise<LinkOffer | null> {
  const link = isCode(code) ? await findLinkByCode(deps.db, code) : null;
  if (link === null) return null;
  const now = deps.clock.now();
  const [offer, inProgress] = await Promise.all([
    offerOf(deps, link),
    link.maxUses === null ? [] : findPaymentsInProgress(deps.db, link, now),
  ]);
  const confirming = inProgress.filter(({ holdsUse }) => holdsUse).length;
  return { ...offer, link, rejection: rejectionOf(link, confirming, now) };
}

/** The offer of a price without a link. Throws `INVALID_AMOUNT` for text that is not an amount. */
export async function findPriceOffer(
  deps: OfferDeps,
  { merchantId, mode }: Scope,
  { amount, currency }: { readonly amount: string; readonly currency: FiatCurrency },
): Promise<Offer> {
  const price = { kind: 'fixed', cents: readCents(amount) } as const;
  return offerOf(deps, {
    merchantId,
    mode,
    title: null,
    description: null,
    imageId: null,
    price,
    currency,
    cryptos: [],
  });
}

/** The merchant as visitors see it. */
export async function findShop(
  { db }: Pick<OfferDeps, 'db'>,
  { merchantId }: Pick<Scope, 'merchantId'>,
): Promise<Shop> {
  const { name, settings } = await db
    .selectFrom('merchant')
    .select(['name', 'settings'])
    .where('id', '=', merchantId)
    .executeTakeFirstOrThrow();
  return { merchantName: name, brand: brandOf(settings) };
}

// Helpers

interface OfferTerms extends Scope, Pick<PaymentLink, 'description' | 'imageId' | 'price' | 'currency' | 'cryptos'> {
  readonly title: string | null;
}

async function offerOf(deps: OfferDeps, terms: OfferTerms): Promise<Offer> {
  const [shop, coins] = await Promise.all([findShop(deps, terms), coinsOf(deps, terms)]);
  const { mode, title, description, imageId, price, currency } = terms;
  return { mode, title, description, imageId, ...shop, price, currency, coins };
}

async function coinsOf(deps: OfferDeps, terms: OfferTerms): Promise<OfferedCoin[]> {
  const caller = await callerForMerchant(deps.db, terms);
  const payable = await listPayableCryptos(deps, caller);
  const offered = payable.filter(({ symbol }) => terms.cryptos.length === 0 || terms.cryptos.includes(symbol));
  return Promise.all(
    recommendedFirst(offered, caller.settings).map(async (coin) => ({
      ...coin,
      amount: amountIn(deps, terms, coin.symbol),
      feeCents: await feeOf(deps, terms, coin.symbol),
      isRecommended: coin.symbol === caller.settings.recommendedCrypto,
    })),
  );
}

/** Transfers of a token are paid for in the coin of its chain. */
async function feeOf(
  { overview, networks, rates }: OfferDeps,
  { mode, currency }: OfferTerms,
  symbol: CryptoSymbol,
): Promise<bigint | null> {
  const baseUnits = await overview.transferFee(networks.networkOf(mode, symbol), symbol);
  const coin = CRYPTO_SYMBOLS.find(
    (each) => ASSETS[each].type === 'coin' && ASSETS[each].chain === ASSETS[symbol].chain,
  );
  return baseUnits === null || coin === undefined
    ? null
    : fiatCents(rates.forMode(mode), { baseUnits, symbol: coin }, currency);
}

function amountIn({ rates }: OfferDeps, { price, currency, mode }: OfferTerms, symbol: CryptoSymbol): string | null {
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
