import type { FastifyInstance } from 'fastify';
import { approveAsOperator, getMerchant, giveMerchantPlan, listMerchants } from '../../operations/index.ts';
import { PLAN_TIERS } from '../../plan-tiers.ts';
import type { MerchantDetail, MerchantPage } from '../contract/merchants.ts';
import { maybe, oneOf, readFields, text, whole } from '../reading.ts';
import type { OperatorOptions } from './options.ts';
import { type Query, readFlag, readText, readWhole, requireKnown } from './read-query.ts';
import { requestId } from './request-id.ts';

const DEFAULT_MERCHANTS = 50;
const MAX_MERCHANTS = 100;
/** The end of the year 9999. JavaScript's last date has more digits than any plan needs. */
const MAX_MOMENT_MS = 253_402_300_799_999;

interface OfMerchant {
  Params: { id: string };
}

/** Merchants: list, details, approval and plan. */
export function merchantRoutes(app: FastifyInstance, { deps, guard, operatorOf }: OperatorOptions): void {
  app.get<{ Querystring: Query }>('/merchants', { onRequest: guard.read }, async ({ query }) => {
    requireKnown(query, ['search', 'isFailing', 'cursor', 'limit']);
    const limit = Math.max(1, readWhole(query, 'limit', MAX_MERCHANTS) ?? DEFAULT_MERCHANTS);
    const isFailing = readFlag(query, 'isFailing') ?? false;
    const page = { search: readText(query, 'search'), isFailing, cursor: readText(query, 'cursor'), limit };
    return { data: (await listMerchants(deps, page)) satisfies MerchantPage };
  });
  app.get<OfMerchant>('/merchants/:id', { onRequest: guard.read }, async ({ params }) => ({
    data: (await getMerchant(deps, params.id)) satisfies MerchantDetail,
  }));
  app.post<OfMerchant>('/merchants/:id/plan', { onRequest: guard.write }, async (request) => {
    const { expiresAt, ...given } = readFields(request.body, {
      tier: oneOf(PLAN_TIERS),
      expiresAt: maybe(whole(0, MAX_MOMENT_MS)),
      reason: text,
      requestId,
    });
    const { id } = request.params;
    await giveMerchantPlan(deps, operatorOf(request), id, { ...given, expiresAt: expiresAt ?? null });
    return { data: await getMerchant(deps, id) };
  });
  app.post<OfMerchant>('/merchants/:id/approve', { onRequest: guard.write }, async (request) => {
    const given = readFields(request.body, { reason: text, requestId });
    const { id } = request.params;
    await approveAsOperator(deps, operatorOf(request), id, given);
    return { data: await getMerchant(deps, id) };
  });
}
