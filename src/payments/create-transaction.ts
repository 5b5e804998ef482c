import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import {
  ASSETS,
  type CryptoSymbol,
  type FiatCurrency,
  MINUTE_MS,
  type Quote,
  type TransactionTerms,
} from '../../machines/index.ts';
import { type Database, whileDatabaseAnswers } from '../db/index.ts';
import type { Engine } from '../engine/index.ts';
import { RetryableError, TerminalError } from '../errors.ts';
import { newId } from '../ids.ts';
import type { Caller, WalletFinder, WalletOfMerchant } from '../merchants/index.ts';
import {
  confirmationDeadlineMs,
  confirmationsRequired,
  meetsMinimumUsd,
  parseFiatAmount,
  quote,
  type Rates,
  requireRates,
  toleranceBaseUnits,
  windowMs,
} from '../rates/index.ts';
import { type AddressSupply, networkName } from '../wallets/index.ts';
import type { TransactionAttachment } from './attachment.ts';
import { getTransaction } from './get-transaction.ts';
import type { LiveNetworks } from './live-networks.ts';
import { isSimulated } from './network-gates.ts';
import type { TransactionView } from './view.ts';
import { viewOfStarted } from './view-of-started.ts';
import type { ChainOverview } from './watching/chain-overview.ts';

export interface CreateDeps {
  readonly db: Kysely<Database>;
  readonly engine: Engine;
  readonly rates: Pick<Rates, 'forMode'>;
  readonly networks: LiveNetworks;
  readonly wallets: WalletFinder;
  readonly addresses: AddressSupply;
  readonly overview: Pick<ChainOverview, 'isWatched' | 'isPayable'>;
  readonly publicUrl: string;
}

export interface CreateRequest {
  readonly crypto: CryptoSymbol;
  /** In the fiat currency, as the merchant wrote it. */
  readonly amount: number;
  readonly currencyFiat: FiatCurrency;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  readonly customerEmail: string | null;
  readonly successUrl: string | null;
  readonly cancelUrl: string | null;
}

export interface Created {
  readonly transaction: TransactionView;
  /** The idempotency key was used before with the same body: this is the first one's transaction. */
  readonly replayed: boolean;
}

/**
 * Starts a payment: locks a rate, takes a fresh address, starts the actor. The idempotency key is looked at before anything
 * that could refuse, so a retry is never turned away. Throws `TerminalError` with the codes of the interface;
 * `RetryableError` `RATE_FETCH_FAILED`, `NETWORK_NOT_WATCHED` (only if the merchant wants that) and `DATABASE_UNAVAILABLE`.
 */
export async function createTransaction(
  deps: CreateDeps,
  caller: Caller,
  request: CreateRequest,
  idempotencyKey: string | null,
): Promise<Created> {
  const requestHash = hashOf(request);
  if (idempotencyKey !== null) {
    const earlier = await findByIdempotencyKey(deps, caller, idempotencyKey);
    if (earlier !== null) return replay(deps, caller, earlier, requestHash);
  }
  const amountFiat = readAmount(request);
  // Before the rates: "try again shortly" would be a false hope where no wallet can take the coins.
  const wallet = await walletFor(deps, caller, request.crypto);
  const terms = agreeTerms(deps, caller, request, amountFiat);
  await requirePayable(deps, request.crypto, wallet.network);
  if (caller.settings.refuseWhenNetworkLags) await requireWatched(deps, request.crypto, wallet.network);
  const transactionId = newId('txn');
  const attachment: TransactionAttachment = {
    derivationKeyId: wallet.derivationKeyId,
    orderId: null,
    customerEmail: request.customerEmail,
    items: null,
    metadata: request.metadata,
    successUrl: request.successUrl,
    cancelUrl: request.cancelUrl,
    idempotencyKey,
    requestHash: idempotencyKey === null ? null : requestHash,
    rateSources: terms.rateSources,
  };
  const outcome = await deps.engine.start({
    kind: 'transaction',
    actorId: transactionId,
    startKey: idempotencyKey === null ? null : `create:${caller.merchantId}:${caller.mode}:${idempotencyKey}`,
    input: { ...terms.input, transactionId, network: wallet.network },
    attachment,
  });
  if (outcome.outcome === 'exists')
    return replay(deps, caller, { id: outcome.actorId, requestHash: null }, requestHash);
  deps.addresses.noteTaken(wallet.derivationKeyId, 1);
  return { transaction: viewOfStarted(outcome.step, deps.publicUrl), replayed: false };
}

// Helpers

type AgreedInput = Omit<TransactionTerms, 'transactionId' | 'network' | 'depositAddress' | 'createdAt'>;

function readAmount({ amount }: CreateRequest): string {
  const parsed = parseFiatAmount(amount);
  if (!parsed.ok) throw new TerminalError('INVALID_AMOUNT', parsed.message);
  return parsed.amountFiat;
}

function agreeTerms(
  deps: CreateDeps,
  caller: Caller,
  request: CreateRequest,
  amountFiat: string,
): { input: AgreedInput; rateSources: readonly string[] } {
  const { crypto: coin, fiat } = requireRates(deps.rates.forMode(caller.mode), request.crypto, request.currencyFiat);
  if (!meetsMinimumUsd(amountFiat, fiat.usd)) {
    throw new TerminalError('AMOUNT_TOO_LOW', 'amount must be worth at least 1.00 USD');
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
    input: {
      merchantId: caller.merchantId,
      mode: caller.mode,
      type: 'basic',
      crypto: request.crypto,
      dueBaseUnits: amounts.dueBaseUnits.toString(),
      toleranceBaseUnits: toleranceBaseUnits(amounts.dueBaseUnits, settings.toleranceBasisPoints).toString(),
      confirmationsRequired: confirmationsRequired(request.crypto, amounts.amountUsd, settings.minConfirmations),
      confirmationDeadlineMs: confirmationDeadlineMs(request.crypto),
      windowMs: windowMs(request.crypto, settings.windowMinutes),
      quote: locked,
    },
  };
}

function walletFor({ networks, wallets }: CreateDeps, caller: Caller, crypto: CryptoSymbol): Promise<WalletOfMerchant> {
  if (caller.mode === 'live') {
    return wallets.find({ merchantId: caller.merchantId, crypto, network: networks.networkOf(crypto) });
  }
  return wallets.find({ merchantId: null, crypto, network: networkName(ASSETS[crypto].chain, 'simulated') });
}

/** A network that is behind is caught up with block by block, which takes longer than a request may wait. */
const NOT_WATCHED_RETRY_AFTER_MS = MINUTE_MS / 2;

async function requireWatched({ overview }: CreateDeps, crypto: CryptoSymbol, network: string): Promise<void> {
  if (isSimulated(network) || (await overview.isWatched(network))) return;
  throw new RetryableError(
    'NETWORK_NOT_WATCHED',
    `Payments in ${crypto} are not taken now: its network is not being watched at the moment. Try again shortly, or offer another coin.`,
    { retryAfterMs: NOT_WATCHED_RETRY_AFTER_MS },
  );
}

async function requirePayable({ overview }: CreateDeps, crypto: CryptoSymbol, network: string): Promise<void> {
  if (isSimulated(network) || (await overview.isPayable(network, crypto))) return;
  throw new TerminalError(
    'WALLET_NOT_CONFIGURED',
    `Live payments in ${crypto} are not available: its contract on ${network} is not what the operator of this service has set (ETH_TOKENS)`,
  );
}

interface Earlier {
  readonly id: string;
  /** Null when it must still be read. */
  readonly requestHash: string | null;
}

async function findByIdempotencyKey({ db }: CreateDeps, caller: Caller, key: string): Promise<Earlier | null> {
  const row = await whileDatabaseAnswers(() =>
    db
      .selectFrom('transaction')
      .select(['id', 'request_hash'])
      .where('merchant_id', '=', caller.merchantId)
      .where('mode', '=', caller.mode)
      .where('idempotency_key', '=', key)
      .executeTakeFirst(),
  );
  return row === undefined ? null : { id: row.id, requestHash: row.request_hash };
}

async function replay(deps: CreateDeps, caller: Caller, earlier: Earlier, requestHash: string): Promise<Created> {
  const { id } = earlier;
  const hash = earlier.requestHash ?? (await readHash(deps, id));
  if (hash !== requestHash) {
    throw new TerminalError(
      'IDEMPOTENCY_CONFLICT',
      'X-Idempotency-Key was used before with a different request; use a new key for a new payment',
    );
  }
  return { transaction: await getTransaction(deps, caller, id), replayed: true };
}

async function readHash({ db }: CreateDeps, id: string): Promise<string | null> {
  const row = await whileDatabaseAnswers(() =>
    db.selectFrom('transaction').select('request_hash').where('id', '=', id).executeTakeFirst(),
  );
  return row?.request_hash ?? null;
}

/** SHA-256 over the request with sorted keys: the order in which a client writes its fields means nothing. */
function hashOf(request: CreateRequest): string {
  return createHash('sha256').update(JSON.stringify(request, sortedKeys)).digest('hex');
}

function sortedKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
