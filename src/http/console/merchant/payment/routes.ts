import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { emailsOfColleagues } from '../../../../accounts/index.ts';
import { findLinkOfPayment } from '../../../../links/index.ts';
import {
  decideTransaction,
  decisionsFor,
  readPaymentDetail,
  requestSearch,
  scopeOfPayment,
  simulate,
  simulationsFor,
  timelineOf,
} from '../../../../payments/index.ts';
import { listTransactionEvents } from '../../../../webhooks/index.ts';
import { IdParams } from '../../schema.ts';
import { requireRecentPassword } from '../../session/guard.ts';
import { attentionInfoOf } from '../attention/item-info.ts';
import type { MerchantDeps } from '../deps.ts';
import { authorOf, type Member, memberOf } from '../member.ts';
import { DecisionBody, type PaymentInfo, SearchBody, SimulationBody } from './schemas.ts';

type PaymentDeps = Pick<MerchantDeps, 'db' | 'clock' | 'engine' | 'publicUrl' | 'search'>;

/**
 * One payment: reading it, deciding about it, having a transaction searched that should have paid
 * it, and simulating events of a test payment. The payment
 * has its own mode, so one URL works for both. Another merchant's is `TRANSACTION_NOT_FOUND`.
 */
export const paymentRoutes: FastifyPluginAsyncTypebox<PaymentDeps> = async (app, deps) => {
  const { db, engine, clock, publicUrl } = deps;

  app.get('/payments/:id', { schema: { params: IdParams } }, async (request) => ({
    data: await readPayment(deps, memberOf(request), request.params.id),
  }));

  const decision = { params: IdParams, body: DecisionBody };
  app.post('/payments/:id/decisions', { schema: decision }, async (request) => {
    const { id } = request.params;
    const member = memberOf(request);
    const { merchantId, userId: by } = member;
    const scope = await scopeOfPayment(db, { merchantId, transactionId: id });
    // A thief with a session could release an order for dust. Test payments release none.
    const confirmShortfall = scope.mode === 'live' ? { confirmShortfall: () => requireRecentPassword(request) } : {};
    await decideTransaction({ db, engine }, scope, { ...request.body, ...confirmShortfall, transactionId: id, by });
    return { data: await readPayment(deps, member, id) };
  });

  const simulation = { params: IdParams, body: SimulationBody };
  app.post('/payments/:id/simulate', { schema: simulation }, async (request) => {
    const { id } = request.params;
    const member = memberOf(request);
    const scope = await scopeOfPayment(db, { merchantId: member.merchantId, transactionId: id });
    await simulate({ db, engine, clock, publicUrl }, scope, id, request.body, authorOf(deps, member));
    return { data: await readPayment(deps, member, id) };
  });

  const search = { params: IdParams, body: SearchBody };
  app.post('/payments/:id/search', { schema: search }, async (request) => {
    const { id } = request.params;
    const member = memberOf(request);
    const { merchantId } = member;
    await requestSearch(deps.search, { merchantId, paymentId: id, ...request.body, author: authorOf(deps, member) });
    return { data: await readPayment(deps, member, id) };
  });
};

// Helpers

async function readPayment(
  { db, publicUrl }: Pick<PaymentDeps, 'db' | 'publicUrl'>,
  { merchantId }: Member,
  transactionId: string,
): Promise<PaymentInfo> {
  const detail = await readPaymentDetail({ db, publicUrl }, { merchantId, transactionId });
  const { journal, isJournalCut, attention, ...rest } = detail;
  const [link, events] = await Promise.all([
    findLinkOfPayment(db, detail.id),
    listTransactionEvents({ db }, { merchantId, transactionId: detail.id }),
  ]);
  const isOfCustomer = link !== null || detail.schedule !== null;
  const timeline = timelineOf(journal, { ...detail, startedBy: isOfCustomer ? 'customer' : 'shop' });
  const userIds = [
    ...timeline.flatMap(({ who }) => (who.kind === 'person' ? who.userId : [])),
    ...attention.flatMap(({ settledBy }) => settledBy ?? []),
  ];
  const emails = await emailsOfColleagues(db, { merchantId, userIds });
  return {
    ...rest,
    decisions: decisionsFor(detail),
    simulations: simulationsFor({ ...detail, isSimulated: detail.networkKind === 'simulated' }),
    link,
    events,
    attention: attention.map((item) => attentionInfoOf(item, emails)),
    timeline: timeline.map(({ who, ...entry }) => ({
      ...entry,
      who: who.kind === 'person' ? { kind: 'person', email: emails.get(who.userId) ?? null } : who,
    })),
    isTimelineCut: isJournalCut,
  };
}
