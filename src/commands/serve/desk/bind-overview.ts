import { DAY_MS, FIAT_CURRENCIES } from '../../../../machines/index.ts';
import type { FirstRun, OverviewDesk, Sums } from '../../../console/index.ts';
import { whileDatabaseAnswers } from '../../../db/index.ts';
import {
  actFor,
  type Caller,
  findWalletCryptos,
  listKeys,
  listReplacedWallets,
  writeAudit,
} from '../../../merchants/index.ts';
import type { OutageNotice } from '../../../outage-notice.ts';
import {
  type CreateDeps,
  createTransaction,
  getStats,
  listPayableCryptos,
  listTransactions,
  type Share,
  type TransactionView,
} from '../../../payments/index.ts';
import { hasDelivered, listEndpoints } from '../../../webhooks/index.ts';
import { createStatsDeps } from '../stats-deps.ts';
import { askerOf } from './change-as.ts';
import type { DeskDeps } from './deps.ts';

const LATEST_PAYMENTS = 5;
/** Today and the days before it. */
const DAYS_OF_WEEK = 7;

export function bindOverview(deps: DeskDeps, { watch }: Pick<OutageNotice, 'watch'>): OverviewDesk {
  const { clock, create } = deps;
  const stats = createStatsDeps(deps);
  return {
    read: ({ merchantId }, { mode }) =>
      watch(async () => {
        const now = clock.now();
        const today = now - (now % DAY_MS);
        const request = { from: today - (DAYS_OF_WEEK - 1) * DAY_MS, to: today + DAY_MS, interval: 'day' as const };
        const scope = { merchantId, mode };
        const [firstRun, cryptos, { totals, timeseries, usage }, { transactions }, replacedWallets] = await Promise.all(
          [
            readFirstRun(deps, merchantId),
            readPayable(create, { merchantId, mode: 'test' }).then((payable) => payable.map(({ symbol }) => symbol)),
            getStats(stats, scope, request),
            listTransactions(create, scope, { limit: LATEST_PAYMENTS, offset: 0 }),
            listReplacedWallets(create.db, { merchantId, now }),
          ],
        );
        return {
          firstRun,
          apiUrl: `${create.publicUrl}/v1`,
          cryptos,
          testPayments: create.networks.isSimulated('test') ? 'simulated' : 'onchain',
          currencies: FIAT_CURRENCIES,
          today: sumsOf(timeseries.at(-1)),
          week: sumsOf(totals),
          usage: { used: usage.used, limit: usage.limit, resetsAt: Date.parse(usage.resets_at) },
          latest: transactions.map(toListItem),
          replacedWallets,
        };
      }),
    startTestPayment: (member, { crypto, amount, currency }) =>
      watch(async () => {
        const { merchantId } = member;
        const asker = askerOf(deps, member);
        const caller = await actFor(create.db, { merchantId, mode: 'test' });
        const nothing = { metadata: null, customerEmail: null, successUrl: null, cancelUrl: null };
        const request = { crypto, amount: Number(amount), currencyFiat: currency, ...nothing };
        const { transaction } = await createTransaction(create, caller, request, null, {
          onStarted: (trx, subjectId) =>
            writeAudit(
              { ...asker, trx },
              { merchantId, what: 'payment.started', subjectId, details: { mode: 'test' } },
            ),
        });
        return { id: transaction.transaction_id, paymentUrl: transaction.payment_url };
      }),
  };
}

// Helpers

/** The coins that a payment of this mode could be paid in now. */
async function readPayable(create: CreateDeps, whose: Pick<Caller, 'merchantId' | 'mode'>) {
  return listPayableCryptos(create, await actFor(create.db, whose));
}

async function readFirstRun({ clock, create }: DeskDeps, merchantId: string): Promise<FirstRun> {
  const { db } = create;
  const newest = (mode: 'live' | 'test', filter: { readonly status?: 'completed' } = {}) =>
    listTransactions(create, { merchantId, mode }, { ...filter, limit: 1, offset: 0 });
  const [wallets, payable, keys, endpoints, isDelivered, testDone, liveDone, test] = await Promise.all([
    findWalletCryptos(db, { merchantId, mode: 'live' }),
    readPayable(create, { merchantId, mode: 'live' }),
    whileDatabaseAnswers(() => listKeys(db, merchantId)),
    whileDatabaseAnswers(() => listEndpoints(db, merchantId)),
    hasDelivered(db, merchantId),
    newest('test', { status: 'completed' }),
    newest('live', { status: 'completed' }),
    newest('test'),
  ]);
  const now = clock.now();
  const living = keys.filter(({ kind, endsAt }) => kind === 'secret' && (endsAt === null || endsAt > now));
  const open = test.transactions.find(({ status }) => OPEN.includes(status));
  return {
    hasWallet: wallets.length > 0,
    canBePaid: payable.length > 0,
    hasTestKey: living.some(({ mode }) => mode === 'test'),
    hasLiveKey: living.some(({ mode }) => mode === 'live'),
    hasEndpoint: endpoints.length > 0,
    hasDelivered: isDelivered,
    hasTestPayment: testDone.pagination.total > 0,
    openTestPayment: open === undefined ? null : { id: open.transaction_id, paymentUrl: open.payment_url },
    hasLivePayment: liveDone.pagination.total > 0,
  };
}

/** Statuses of a payment in progress. */
const OPEN: readonly string[] = ['pending', 'partial', 'awaiting_confirmation'];

function sumsOf({ created, completed, volume_usd: volumeUsd }: Omit<Share, 'start'> = NONE): Sums {
  return { created, completed, volumeUsd };
}

const NONE = { created: 0, completed: 0, volume_usd: '0' };

function toListItem(view: TransactionView<string>) {
  return {
    id: view.transaction_id,
    status: view.status,
    exception: view.exception ?? null,
    type: view.type,
    orderId: view.order_id,
    customerEmail: view.customer_email,
    crypto: view.crypto,
    amountDue: view.amount_crypto,
    amountPaid: view.amount_paid,
    amountFiat: view.amount_fiat,
    currencyFiat: view.currency_fiat,
    createdAt: Date.parse(view.created_at),
  };
}
