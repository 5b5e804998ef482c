import type { FastifyPluginAsync } from 'fastify';
import { CRYPTO_SYMBOLS } from '../../../../machines/index.ts';
import { MAX_BILLING_MONTHS } from '../../../billing/index.ts';
import { PLAN_TIERS } from '../../../plan-tiers.ts';
import type { PlanCheckoutBody } from '../../contract/plan.ts';
import { maybe, oneOf, readFields, whole } from '../../reading.ts';
import { requireRole } from '../../session/index.ts';
import { memberOf, mode } from '../member.ts';
import type { PlanDesk } from './port.ts';

const MAX_INVOICES = 100;
const INVOICES = 25;
/** Above any offset that a user pages to. */
const MAX_OFFSET = 100_000;

/** The plan of a merchant and its invoices; only owners can buy. */
export const planRoutes: FastifyPluginAsync<{ readonly plan: PlanDesk }> = async (app, { plan }) => {
  app.get('/plan', async (request) => {
    const query = readFields(request.query, { mode });
    return { data: await plan.read(memberOf(request), query.mode) };
  });
  app.get('/plan/invoices', async (request) => {
    const {
      limit = INVOICES,
      offset = 0,
      ...query
    } = readFields(request.query, { mode, limit: maybe(whole(1, MAX_INVOICES)), offset: maybe(whole(0, MAX_OFFSET)) });
    return { data: await plan.listInvoices(memberOf(request), { mode: query.mode, limit, offset }) };
  });
  app.post('/plan/checkout', { onRequest: requireRole('owner') }, async (request, reply) => {
    const { crypto, ...order } = readFields(request.body, {
      mode,
      tier: oneOf(PLAN_TIERS),
      billingMonths: whole(1, MAX_BILLING_MONTHS),
      crypto: maybe(oneOf(CRYPTO_SYMBOLS)),
    });
    const body: PlanCheckoutBody = { ...order, ...(crypto === undefined ? {} : { crypto }) };
    return reply.code(201).send({ data: await plan.checkout(memberOf(request), body) });
  });
};
