import { callerForMerchant, type KeyHolder, networkOf } from '../merchants/index.ts';
import {
  ActiveTransactionError,
  type ClientHash,
  type CreateDeps,
  type CreateRequest,
  createTransaction,
  type OpenPayment,
  type PaymentOptions,
  tooManyOpenPayments,
  wasOpenedBy,
} from '../payments/index.ts';
import type { Clock } from '../platform/clock.ts';
import { type RetryableError, TerminalError } from '../platform/errors.ts';
import { admitToLink, type Customer } from './admit-to-link.ts';
import { amountOf, centsText, highestCents, readCents } from './amount.ts';
import { shortAddress } from './code.ts';
import { type HostedPrice, type HostedRequest, priceOf, requireAllowed } from './hosted-request.ts';
import { findLinkOfPayment, type PaymentLink, requireLink } from './link.ts';

export interface HostedPaymentDeps extends CreateDeps {
  readonly clock: Clock;
  readonly clientHash: ClientHash;
  /** Open, unpaid payments allowed per publishable key. */
  readonly maxOpenPerKey: number;
  /** How many of them one client subnet may have. */
  readonly maxOpenPerClient: number;
}

/** Who opens a hosted checkout: the shop, by the key in the URL, and the customer. */
export interface CheckoutVisitor {
  readonly key: Omit<KeyHolder, 'allowedCidrs'>;
  /** Random value of a cookie that identifies the customer's browser. */
  readonly customer: string;
  /** Limits open payments; identifies the customer only for keys with one open payment per IP. */
  readonly clientAddress: string;
}

/**
 * Starts a payment for a visitor of `GET /pay` and returns the URL of its page. A customer who
 * repeats the request while nothing is paid gets the same page: reloading a URL in the same browser
 * uses up no deposit address. Throws the codes of the interface, `PAYMENT_LINK_EXPIRED` and
 * `PAYMENT_LINK_PAID`, and what `createTransaction` throws.
 */
export async function openHostedPayment(
  deps: HostedPaymentDeps,
  opener: CheckoutVisitor,
  request: HostedRequest,
): Promise<string> {
  const link = request.linkSlug === null ? null : await requireLink(deps.db, opener.key, request.linkSlug);
  return openFor(deps, opener, priceOf(request, link), link);
}

/**
 * The same for a visitor of a link's short address, which contains no key: limits of open payments
 * are those of the link. `amount` is ignored where the link has a fixed price, and otherwise at
 * most `highestCents`.
 */
export async function openLinkPayment(
  deps: HostedPaymentDeps,
  visitor: Omit<CheckoutVisitor, 'key'>,
  link: PaymentLink,
  { crypto, amount }: Pick<HostedRequest, 'crypto' | 'amount'>,
): Promise<string> {
  const merchant = await callerForMerchant(deps.db, link);
  const key = { ...merchant, keyId: keyNameOf(link), oneOpenPaymentPerIp: false };
  const { price, currency } = link;
  const opener = { ...visitor, key };
  if (price.kind === 'fixed') return openFor(deps, opener, { crypto, cents: price.cents, currency }, link);
  const bounded = { ...link, price: { ...price, maxCents: highestCents(price) } };
  return openFor(deps, opener, { crypto, cents: readCents(amount), currency }, bounded);
}

/** Replaces the key where payments opened by the short address of a link are counted. */
export function keyNameOf({ code }: PaymentLink): string {
  return `link ${code}`;
}

// Helpers

async function openFor(
  deps: HostedPaymentDeps,
  opener: CheckoutVisitor,
  price: HostedPrice,
  link: PaymentLink | null,
): Promise<string> {
  const customer = customerOf(deps, opener, { price, slug: link?.slug ?? null });
  if (link !== null) {
    const page = await admitToLink(deps, link, customer);
    if (page !== null) return page;
    requireAllowed(price, link);
  }
  const input = { price, link, customer };
  try {
    return await start(deps, opener, input);
  } catch (error) {
    if (error instanceof ActiveTransactionError) return goOn(deps, error, input);
    throw withoutAccount(error);
  }
}

interface HostedPaymentInput {
  readonly price: HostedPrice;
  readonly link: PaymentLink | null;
  readonly customer: Customer;
}

/**
 * Identifies the customer. A browser has one open payment for the same purchase, unless the
 * merchant allows only one per IP address, regardless of its purpose. Such a payment is still shown
 * only to the browser that opened it.
 */
function customerOf(
  { clientHash }: HostedPaymentDeps,
  { key, customer, clientAddress }: CheckoutVisitor,
  { price, slug }: { readonly price: HostedPrice; readonly slug: string | null },
): Customer {
  const customerHash = clientHash(key, customer);
  if (key.oneOpenPaymentPerIp) return { clientHash: clientHash(key, clientAddress), customerHash };
  const { crypto, cents, currency } = price;
  const wish = JSON.stringify([customerHash, crypto, centsText(cents), currency, slug]);
  return { clientHash: clientHash(key, wish), customerHash };
}

async function start(
  deps: HostedPaymentDeps,
  { key, clientAddress }: CheckoutVisitor,
  input: HostedPaymentInput,
): Promise<string> {
  const { price, link } = input;
  const { clientHash, customerHash } = input.customer;
  const request: CreateRequest = {
    crypto: price.crypto,
    amount: amountOf(price.cents),
    currencyFiat: price.currency,
    // Lets the merchant see in lists and webhooks what was paid for.
    metadata: link === null ? null : { payment_link: link.slug, payment_link_title: link.title },
    customerEmail: null,
    successUrl: link?.successUrl ?? null,
    // An expired payment links back there, for a new quote.
    cancelUrl: link === null ? null : shortAddress(deps.publicUrl, link),
  };
  const opener = {
    keyId: key.keyId,
    customerHash,
    subnetHash: deps.clientHash(key, networkOf(clientAddress, 56)),
    maxOpen: deps.maxOpenPerKey,
    maxOpenPerClient: deps.maxOpenPerClient,
  };
  const onStarted = link === null ? undefined : recordStart(link);
  const { transaction } = await createTransaction(deps, key, request, null, { clientHash, opener, onStarted });
  return transaction.payment_url;
}

function recordStart({ merchantId, mode, slug }: PaymentLink): NonNullable<PaymentOptions['onStarted']> {
  return async (trx, transactionId) => {
    await trx
      .insertInto('link_payment')
      .values({ transaction_id: transactionId, merchant_id: merchantId, mode, slug })
      .execute();
  };
}

/** With one open payment per IP address, the existing payment may be for another amount. */
async function goOn(
  deps: HostedPaymentDeps,
  error: ActiveTransactionError,
  input: HostedPaymentInput,
): Promise<string> {
  const { openPayment } = error;
  // A payment opened by another browser at this IP address is not shown to this one.
  if (!(await wasOpenedBy(deps, openPayment.transaction_id, input.customer.customerHash))) throw openElsewhere();
  if (!isFor(openPayment, input.price)) throw error;
  if ((await findLinkOfPayment(deps.db, openPayment.transaction_id))?.slug !== input.link?.slug) throw error;
  return openPayment.payment_url;
}

function openElsewhere(): RetryableError {
  return tooManyOpenPayments(
    'Another browser at this IP address has an open payment, and this shop accepts one per address at a time',
    'client_address',
  );
}

function isFor(open: OpenPayment, { crypto, cents, currency }: HostedPrice): boolean {
  return open.crypto === crypto && open.amount_fiat === centsText(cents) && open.currency_fiat === currency;
}

/** Hides the shop's plan and sales from anyone who has seen its publishable key. */
function withoutAccount(error: unknown): unknown {
  if (!(error instanceof TerminalError) || !ABOUT_THE_ACCOUNT.has(error.code)) return error;
  const message = 'This shop cannot accept more payments at the moment; GET /account returns the reason to the shop';
  return new TerminalError(error.code, message, { cause: error });
}

const ABOUT_THE_ACCOUNT: ReadonlySet<string> = new Set([
  'MONTHLY_LIMIT_REACHED',
  'NO_ACTIVE_PLAN',
  'PLAN_UPGRADE_REQUIRED',
]);
