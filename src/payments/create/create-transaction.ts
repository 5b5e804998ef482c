import type { Kysely } from 'kysely';
import {
  type CryptoSymbol,
  confirmationDeadlineMs,
  confirmationsRequired,
  type FiatCurrency,
  lossSettlesMs,
  MINUTE_MS,
  type Quote,
  type ScheduledPeriod,
  type TransactionTerms,
  toleranceBaseUnits,
  windowMs,
} from '../../../machines/index.ts';
import type { Caller, WalletFinder, WalletOfMerchant } from '../../merchants/index.ts';
import type { Database } from '../../platform/db/index.ts';
import type { Engine } from '../../platform/engine/index.ts';
import { RetryableError, TerminalError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { requestHashOf } from '../../platform/require-same-request.ts';
import { meetsMinimumUsd, parseFiatAmount, quote, type Rates, requireRates } from '../../rates/index.ts';
import { type AddressSupply, isSimulated } from '../../wallets/index.ts';
import { type PaymentNetworks, tokensSetting, unavailable } from '../payment-networks.ts';
import type { LineItem, TransactionAttachment } from '../projection/attachment.ts';
import type { TransactionView } from '../view/merchant-view.ts';
import { viewOfStarted } from '../view/read-views.ts';
import type { ChainOverview } from '../watching/chain-overview.ts';
import type { KeylessCaller } from './keyless-payments.ts';
import { ActiveTransactionError, ClientIsBusyError, findOpenPayment } from './open-payment-of-client.ts';
import { type FindByIdempotencyKey, replay } from './replay-by-idempotency-key.ts';

export interface CreateDeps {
  readonly db: Kysely<Database>;
  readonly engine: Engine;
  readonly rates: Pick<Rates, 'forMode'>;
  readonly networks: PaymentNetworks;
  readonly wallets: WalletFinder;
  readonly addresses: AddressSupply;
  readonly findByIdempotencyKey: FindByIdempotencyKey;
  readonly overview: Pick<ChainOverview, 'isWatched' | 'isPayable'>;
  readonly publicUrl: string;
}

export interface CreateRequest {
  readonly crypto: CryptoSymbol;
  /** In the fiat currency, as the merchant sent it. */
  readonly amount: number;
  readonly currencyFiat: FiatCurrency;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  readonly customerEmail: string | null;
  readonly successUrl: string | null;
  readonly cancelUrl: string | null;
  /** Line items of a detailed payment, which the plan must allow; `amount` is their sum. */
  readonly detail?: { readonly orderId: string; readonly items: readonly LineItem[] };
}

/** Options of payments that the merchant's API does not offer. */
export interface PaymentOptions {
  /** Paid to the operator for the service: exempt from plan limits and not counted. */
  readonly type?: 'billing';
  /** Runs in the commit that starts the payment. */
  readonly onStarted?: TransactionAttachment['onStarted'];
  /** The customer, who may have only one open payment. See `ClientHash`. */
  readonly clientHash?: string;
  /** For payments opened with a publishable key. */
  readonly opener?: KeylessCaller;
  /** The period of a recurring payment request that it pays. */
  readonly schedule?: ScheduledPeriod;
}

export interface Created {
  readonly transaction: TransactionView<string>;
  /** The idempotency key was used before with the same body: this is the earlier transaction. */
  readonly replayed: boolean;
}

/**
 * Starts a payment: locks a rate, allocates an address, starts the actor. The idempotency key is
 * checked before anything that could reject the start, so a retry is never rejected. Throws
 * `TerminalError` with the codes of the interface, including `ActiveTransactionError`;
 * `RetryableError` `RATE_FETCH_FAILED`, `NETWORK_NOT_WATCHED` (only if the merchant's settings
 * require it) and `DATABASE_UNAVAILABLE`.
 */
export async function createTransaction(
  deps: CreateDeps,
  caller: Caller,
  request: CreateRequest,
  idempotencyKey: string | null,
  options: PaymentOptions = {},
): Promise<Created> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await tryToCreate(deps, caller, { request, idempotencyKey, options });
    } catch (error) {
      if (!(error instanceof ClientIsBusyError)) throw error;
      // A retry finds the conflict: a duplicate of this request, or the open payment to return.
      if (attempt === MAX_ATTEMPTS) throw clientKeepsChanging(error);
    }
  }
}

// Helpers

/** The conflicting payment may be gone when it is looked up. */
const MAX_ATTEMPTS = 3;

interface CreateInput {
  readonly request: CreateRequest;
  readonly idempotencyKey: string | null;
  readonly options: PaymentOptions;
}

async function tryToCreate(deps: CreateDeps, caller: Caller, input: CreateInput): Promise<Created> {
  const { request, idempotencyKey, options } = input;
  const { clientHash, onStarted, opener, schedule } = options;
  const requestHash = requestHashOf(request);
  // Before the idempotency lookup: a payment created in between is then found by its key if
  // identical.
  const openPayment = clientHash === undefined ? null : await findOpenPayment(deps, caller, clientHash);
  if (idempotencyKey !== null) {
    const earlier = await deps.findByIdempotencyKey(caller, idempotencyKey);
    if (earlier !== null) return { transaction: await replay(deps, caller, earlier, requestHash), replayed: true };
  }
  if (openPayment !== null) throw new ActiveTransactionError(openPayment);
  const amountFiat = readAmount(request);
  // Before the rates: "try again shortly" would mislead when no wallet can receive the coins.
  const wallet = await walletFor(deps, caller, request.crypto);
  const terms = agreeTerms(deps, caller, request, amountFiat);
  await requirePayable(deps, caller, request.crypto, wallet.network);
  if (caller.settings.refuseWhenNetworkLags) await requireWatched(deps, request.crypto, wallet.network);
  const transactionId = newId('txn');
  const attachment: TransactionAttachment = {
    derivationKeyId: wallet.derivationKeyId,
    orderId: request.detail?.orderId ?? null,
    customerEmail: request.customerEmail,
    items: request.detail?.items ?? null,
    metadata: request.metadata,
    successUrl: request.successUrl,
    cancelUrl: request.cancelUrl,
    idempotencyKey,
    requestHash: idempotencyKey === null ? null : requestHash,
    rateSources: terms.rateSources,
    ratesAt: terms.ratesAt,
    clientHash,
    opener,
    onStarted,
  };
  const type = options.type ?? (request.detail === undefined ? 'basic' : 'detailed');
  const outcome = await deps.engine.start({
    kind: 'transaction',
    actorId: transactionId,
    startKey: idempotencyKey === null ? null : `create:${caller.merchantId}:${caller.mode}:${idempotencyKey}`,
    input: {
      ...terms.input,
      type,
      transactionId,
      network: wallet.network,
      lossSettlesMs: lossSettlesMs(wallet.network),
      ...(schedule === undefined ? {} : { schedule }),
    },
    attachment,
  });
  if (outcome.outcome === 'exists') {
    const earlier = { id: outcome.actorId, requestHash: null };
    return { transaction: await replay(deps, caller, earlier, requestHash), replayed: true };
  }
  deps.addresses.recordTaken(wallet.derivationKeyId, 1);
  return { transaction: viewOfStarted(outcome.step, deps.publicUrl), replayed: false };
}

function clientKeepsChanging(cause: ClientIsBusyError): RetryableError {
  const message = 'Other payments of this customer are changing at the moment; try again';
  return new RetryableError('CLIENT_BUSY', message, { cause });
}

type AgreedInput = Omit<
  TransactionTerms,
  'type' | 'transactionId' | 'network' | 'lossSettlesMs' | 'depositAddress' | 'createdAt'
>;

function readAmount({ amount, detail }: CreateRequest): string {
  // Only free items.
  if (detail !== undefined && amount === 0) return '0';
  const parsed = parseFiatAmount(amount);
  if (!parsed.ok) throw new TerminalError('INVALID_AMOUNT', parsed.message);
  return parsed.amountFiat;
}

function agreeTerms(
  deps: CreateDeps,
  caller: Caller,
  request: CreateRequest,
  amountFiat: string,
): Pick<TransactionAttachment, 'rateSources' | 'ratesAt'> & { readonly input: AgreedInput } {
  const { crypto: coin, fiat } = requireRates(deps.rates.forMode(caller.mode), request.crypto, request.currencyFiat);
  if (!meetsMinimumUsd(amountFiat, fiat.usd)) {
    if (request.detail === undefined) {
      throw new TerminalError('AMOUNT_TOO_LOW', 'amount must be worth at least 1.00 USD');
    }
    throw new TerminalError('AMOUNT_TOO_LOW', 'items must be worth at least 1.00 USD in total', { field: 'items' });
  }
  const amounts = quote({
    amountFiat,
    currency: request.currencyFiat,
    symbol: request.crypto,
    fiatUsd: fiat.usd,
    cryptoUsd: coin.usd,
  });
  const { settings } = caller;
  const locked: Quote = {
    amountFiat: amounts.amountFiat,
    currencyFiat: request.currencyFiat,
    amountUsd: amounts.amountUsd,
    amountCrypto: amounts.amountCrypto,
    fiatToUsdRate: fiat.usd,
    exchangeRate: coin.usd,
  };
  return {
    rateSources: [...new Set([...coin.sources, ...fiat.sources])],
    ratesAt: Math.min(coin.updatedAt, fiat.updatedAt),
    input: {
      merchantId: caller.merchantId,
      mode: caller.mode,
      crypto: request.crypto,
      dueBaseUnits: amounts.dueBaseUnits.toString(),
      toleranceBaseUnits: toleranceBaseUnits(amounts.dueBaseUnits, settings.toleranceBasisPoints).toString(),
      confirmationsRequired: confirmationsRequired(request.crypto, amounts.amountUsd, settings.minConfirmations),
      ...(settings.minConfirmations > 1 ? { waitsForDepth: true } : {}),
      confirmationDeadlineMs: confirmationDeadlineMs(request.crypto),
      windowMs: windowMs(request.crypto, settings.windowMinutes),
      quote: locked,
    },
  };
}

function walletFor({ networks, wallets }: CreateDeps, caller: Caller, crypto: CryptoSymbol): Promise<WalletOfMerchant> {
  const { mode } = caller;
  const network = networks.networkOf(mode, crypto);
  // The wallet of simulated payments is built in and belongs to no merchant.
  const merchantId = networks.isSimulated(mode) ? null : caller.merchantId;
  return wallets.find({ merchantId, mode, crypto, network });
}

/** A network that is behind catches up block by block, longer than a request may wait. */
const NOT_WATCHED_RETRY_AFTER_MS = MINUTE_MS / 2;

async function requireWatched({ overview }: CreateDeps, crypto: CryptoSymbol, network: string): Promise<void> {
  if (isSimulated(network) || (await overview.isWatched(network))) return;
  throw new RetryableError(
    'NETWORK_NOT_WATCHED',
    `Payments in ${crypto} are not accepted at the moment: its network is not being watched. Try again shortly, or offer another coin.`,
    { retryAfterMs: NOT_WATCHED_RETRY_AFTER_MS },
  );
}

async function requirePayable(
  { overview }: CreateDeps,
  { mode }: Caller,
  crypto: CryptoSymbol,
  network: string,
): Promise<void> {
  if (isSimulated(network) || (await overview.isPayable(network, crypto))) return;
  const setting = tokensSetting(mode);
  const reason = `its contract on ${network} differs from the operator’s setting (${setting})`;
  throw unavailable(mode, crypto, reason);
}
