import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { emailsOfColleagues } from '../../../../accounts/index.ts';
import { countAttention, listAttention, type SettleDeps, settleAttention } from '../../../../payments/index.ts';
import { oneOf, text, whole } from '../../schema.ts';
import type { MerchantDeps } from '../deps.ts';
import { changeAsMember, memberOf } from '../member.ts';
import { Mode, OfMode } from '../schemas.ts';
import { attentionInfoOf } from './item-info.ts';
import { type AttentionCount, AttentionKindName, type AttentionList, SettleAttentionBody } from './schemas.ts';

const DEFAULT_LIMIT = 50;

const ListQuery = Type.Object({
  mode: Mode,
  kind: Type.Optional(AttentionKindName),
  show: Type.Optional(oneOf(['open', 'settled'])),
  cursor: Type.Optional(text(1_000)),
  limit: Type.Optional(whole(1, 100)),
});
const ItemParams = Type.Object({ transactionId: text(1_000), kind: AttentionKindName });

export const attentionRoutes: FastifyPluginAsyncTypebox<Pick<MerchantDeps, 'db' | 'clock' | 'engine'>> = async (
  app,
  deps,
) => {
  const { db } = deps;

  app.get('/attention/count', { schema: { querystring: OfMode } }, async (request) => {
    const { merchantId } = memberOf(request);
    return { data: { open: await countAttention(db, { merchantId, ...request.query }) } satisfies AttentionCount };
  });

  app.get('/attention', { schema: { querystring: ListQuery } }, async (request) => {
    const { mode, show, kind, cursor: after, limit = DEFAULT_LIMIT } = request.query;
    const { merchantId } = memberOf(request);
    const input = { kind, isSettled: show === 'settled', cursor: after, limit };
    const { items, cursor } = await listAttention(db, { merchantId, mode }, input);
    const userIds = items.flatMap(({ settledBy }) => settledBy ?? []);
    const emails = await emailsOfColleagues(db, { merchantId, userIds });
    return { data: { items: items.map((item) => attentionInfoOf(item, emails)), cursor } satisfies AttentionList };
  });

  const settle = { params: ItemParams, body: SettleAttentionBody };
  app.post('/attention/:transactionId/:kind/settle', { schema: settle }, async (request, reply) => {
    const member = memberOf(request);
    const { merchantId, userId: by } = member;
    const change: SettleDeps['change'] = (work) => changeAsMember(deps, member, work);
    await settleAttention({ engine: deps.engine, change }, { merchantId, by, ...request.params, ...request.body });
    return reply.code(204).send();
  });
};
