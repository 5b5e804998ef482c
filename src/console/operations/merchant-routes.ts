import { approveAsOperator, getMerchant, giveMerchantPlan, listMerchants } from '../../operations/index.ts';
import { IdParams } from '../schema.ts';
import { GivePlanBody, MerchantsQuery } from './merchant-schemas.ts';
import type { OperatorApp, OperatorOptions } from './options.ts';
import { ReasonBody } from './schemas.ts';

const DEFAULT_MERCHANTS = 50;

/** Merchants: list, details, approval and plan. */
export function merchantRoutes(app: OperatorApp, { deps, guard, operatorOf }: OperatorOptions): void {
  const listing = { onRequest: guard.read, schema: { querystring: MerchantsQuery } };
  app.get('/merchants', listing, async ({ query }) => ({
    data: await listMerchants(deps, { search: null, cursor: null, limit: DEFAULT_MERCHANTS, ...query }),
  }));
  app.get('/merchants/:id', { onRequest: guard.read, schema: { params: IdParams } }, async ({ params }) => ({
    data: await getMerchant(deps, params.id),
  }));
  const giving = { onRequest: guard.write, schema: { params: IdParams, body: GivePlanBody } };
  app.post('/merchants/:id/plan', giving, async (request) => {
    const { id } = request.params;
    await giveMerchantPlan(deps, operatorOf(request), id, { expiresAt: null, ...request.body });
    return { data: await getMerchant(deps, id) };
  });
  const approval = { onRequest: guard.write, schema: { params: IdParams, body: ReasonBody } };
  app.post('/merchants/:id/approve', approval, async (request) => {
    const { id } = request.params;
    await approveAsOperator(deps, operatorOf(request), id, request.body);
    return { data: await getMerchant(deps, id) };
  });
}
