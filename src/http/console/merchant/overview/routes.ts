import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { DAY_MS, FIAT_CURRENCIES, type Mode } from '../../../../../machines/index.ts';
import { usageOf } from '../../../../billing/index.ts';
import {
  type Caller,
  callerForMerchant,
  findWalletCryptos,
  listKeys,
  listReplacedWallets,
  writeAudit,
} from '../../../../merchants/index.ts';
import {
  type CreateDeps,
  createTransaction,
  getSums,
  listPayableCryptos,
  listTransactions,
  type StatsTotals,
  searchPayments,
} from '../../../../payments/index.ts';
import { hasDelivered, listEndpoints } from '../../../../webhooks/index.ts';
import type { MerchantDeps } from '../deps.ts';
import { authorOf, memberOf } from '../member.ts';
import type { ReadSlots } from '../read-slots.ts';
import { OfMode } from '../schemas.ts';
import { type FirstRun, type Overview, type StartedPayment, TestPaymentBody } from './schemas.ts';

const LATEST_PAYMENTS = 5;
/** Today and the days before it. */
const DAYS_OF_WEEK = 7;

type OverviewDeps = Pick<MerchantDeps, 'db' | 'clock' | 'create' | 'plansEnabled'> & { readonly slots: ReadSlots };

export const overviewRoutes: FastifyPluginAsyncTypebox<OverviewDeps> = async (app, deps) => {
  const { create, slots } = deps;

  app.get('/overview', { schema: { querystring: OfMode } }, async (request) => {
    const { merchantId } = memberOf(request);
    return { data: await slots.read(merchantId, () => readOverview(deps, { merchantId, ...request.query })) };
  });

  app.post('/overview/test-payment', { schema: { body: TestPaymentBody } }, async (request, reply) => {
    const { crypto, amount, currency } = request.body;
    const member = memberOf(request);
    const { merchantId } = member;
    const author = authorOf(deps, member);
    const caller = await callerForMerchant(create.db, { merchantId, mode: 'test' });
    const nothing = { metadata: null, customerEmail: null, successUrl: null, cancelUrl: null };
    const input = { crypto, amount: Number(amount), currencyFiat: currency, ...nothing };
    const { transaction } = await createTransaction(create, caller, input, null, {
      onStarted: (trx, subjectId) =>
        writeAudit({ ...author, trx }, { merchantId, what: 'payment.started', subjectId, details: { mode: 'test' } }),
    });
    const data: StartedPayment = { id: transaction.transaction_id, paymentUrl: transaction.payment_url };
    return reply.code(201).send({ data });
  });
};

// Helpers

async function readOverview(deps: OverviewDeps, scope: { merchantId: string; mode: Mode }): Promise<Overview> {
  const { clock, create } = deps;
  const { merchantId } = scope;
  const now = clock.now();
  const today = now - (now % DAY_MS);
  const week = { from: today - (DAYS_OF_WEEK - 1) * DAY_MS, to: today + DAY_MS, interval: 'day' as const };
  const [firstRun, payable, { totals, series }, usage, latest, replacedWallets] = await Promise.all([
    readFirstRun(deps, merchantId),
    readPayable(create, { merchantId, mode: 'test' }),
    getSums(deps.db, scope, week),
    usageOf(deps, merchantId),
    searchPayments(create, scope, { search: {}, cursor: null, limit: LATEST_PAYMENTS }),
    listReplacedWallets(create.db, { merchantId, now }),
  ]);
  return {
    firstRun,
    apiUrl: `${create.publicUrl}/v1`,
    cryptos: payable.map(({ symbol }) => symbol),
    testPayments: create.networks.isSimulated('test') ? 'simulated' : 'onchain',
    currencies: FIAT_CURRENCIES,
    today: sumsOf(series.at(-1)),
    week: sumsOf(totals),
    usage,
    latest: latest.payments,
    replacedWallets,
  };
}

/** The coins that a payment of this mode could be paid in now. */
async function readPayable(create: CreateDeps, whose: Pick<Caller, 'merchantId' | 'mode'>) {
  return listPayableCryptos(create, await callerForMerchant(create.db, whose));
}

async function readFirstRun({ clock, create }: OverviewDeps, merchantId: string): Promise<FirstRun> {
  const { db } = create;
  const newest = (mode: Mode, filter: { readonly status?: 'completed' } = {}) =>
    listTransactions(create, { merchantId, mode }, { ...filter, limit: 1, offset: 0 });
  const live = await callerForMerchant(db, { merchantId, mode: 'live' });
  const [wallets, payable, keys, endpoints, isDelivered, testDone, liveDone, test] = await Promise.all([
    findWalletCryptos(db, live),
    listPayableCryptos(create, live),
    listKeys(db, merchantId),
    listEndpoints(db, merchantId),
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
    hasSupportContact: live.settings.supportContact !== null,
    hasLivePayment: liveDone.pagination.total > 0,
  };
}

/** Statuses of a payment in progress. */
const OPEN: readonly string[] = ['pending', 'partial', 'awaiting_confirmation'];

function sumsOf({ created, completed, open, volumeUsd, volumes }: StatsTotals = NONE): StatsTotals {
  return { created, completed, open, volumeUsd, volumes };
}

const NONE: StatsTotals = { created: 0, completed: 0, open: 0, volumeUsd: '0', volumes: [] };
