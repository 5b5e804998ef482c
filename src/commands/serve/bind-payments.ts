import type { CreateHeaders, Market, Payments } from '../../api/index.ts';
import type { Clock } from '../../clock.ts';
import type { Config } from '../../config/index.ts';
import { derivedId } from '../../ids.ts';
import type { OutageNotice } from '../../outage-notice.ts';
import {
  type ClientHash,
  type CreateDeps,
  type CreateSpecials,
  createDetailed,
  createTransaction,
  createTransactionReader,
  decideTransaction,
  getStats,
  listCryptos,
  listPayableCryptos,
  listTransactions,
  mailKeyDecisions,
  type Scope,
  simulate,
} from '../../payments/index.ts';
import { createStatsDeps } from './stats-deps.ts';

export interface PaymentsBinding extends Pick<Config, 'plansEnabled'> {
  readonly create: CreateDeps;
  readonly clock: Clock;
  readonly clientHash: ClientHash;
}

/** Binds the payment operations of the merchant API to the use cases of `payments`. */
export function bindPayments(deps: PaymentsBinding, { watch }: Pick<OutageNotice, 'watch'>): Payments {
  const { create, clock, clientHash } = deps;
  const { db, publicUrl, engine } = create;
  const reader = createTransactionReader({ db, publicUrl });
  const specials = (scope: Scope, { clientAddress }: CreateHeaders): CreateSpecials =>
    clientAddress === null ? {} : { clientHash: clientHash(scope, clientAddress) };
  const stats = createStatsDeps(deps);
  return {
    create: (caller, request, headers) =>
      watch(() => createTransaction(create, caller, request, headers.idempotencyKey, specials(caller, headers))),
    createDetailed: (caller, request, headers) =>
      watch(() => createDetailed(create, caller, request, headers.idempotencyKey, specials(caller, headers))),
    get: (scope, transactionId) => watch(() => reader.get(scope, transactionId)),
    list: (scope, request) => watch(() => listTransactions({ db, publicUrl }, scope, request)),
    decide: (caller, transactionId, { action, reason, seenStep }) =>
      watch(async () => {
        const { keyId: by } = caller;
        const requestId = derivedId('req', transactionId, action, reason, seenStep, by);
        const request = { transactionId, decision: action, reason, seenStep, by, requestId };
        await decideTransaction({ db, engine }, caller, request);
        if (caller.mode === 'live') await mailKeyDecisions(db, { merchantId: caller.merchantId, now: clock.now() });
        return reader.get(caller, transactionId);
      }),
    stats: (scope, request) => watch(() => getStats(stats, scope, request)),
    simulate: (scope, transactionId, request) =>
      watch(() => simulate({ db, publicUrl, engine, clock }, scope, transactionId, request)),
  };
}

/** Coins and their rates in the form of the merchant API. */
export function bindMarket(
  { create }: Pick<PaymentsBinding, 'create'>,
  { watch }: Pick<OutageNotice, 'watch'>,
): Market {
  return {
    ratesOf: (mode) => create.rates.forMode(mode),
    cryptos: (mode) => listCryptos(create.networks, mode),
    merchantCryptos: (caller) => watch(() => listPayableCryptos(create, caller)),
  };
}
