import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { type BillingDeps, listInvoices } from '../../billing/index.ts';
import { callerOf } from '../plugins/authenticate.ts';
import { InvoiceListEnvelope } from '../schemas/billing.ts';
import { failures } from '../schemas/error.ts';
import { ref } from '../schemas/ref.ts';
import { DEFAULT_PAGE_SIZE, ListTransactionsQuery } from '../schemas/transaction-list.ts';

const { limit, offset } = ListTransactionsQuery.properties;
const ListInvoicesQuery = Type.Object({ limit, offset }, { additionalProperties: false });

export const invoicesRoute: FastifyPluginAsyncTypebox<Pick<BillingDeps, 'db'>> = async (app, deps) => {
  app.get(
    '/invoices',
    {
      schema: {
        operationId: 'listInvoices',
        summary: 'List your invoices',
        description:
          'What you were asked to pay for plans with keys of this mode, newest first. `status` is that of the payment.',
        tags: ['Account'],
        querystring: ListInvoicesQuery,
        response: { 200: ref(InvoiceListEnvelope), ...failures() },
      },
    },
    async (request, reply) => {
      const { limit = DEFAULT_PAGE_SIZE, offset = 0 } = request.query;
      return reply.send({ success: true, data: await listInvoices(deps, callerOf(request), { limit, offset }) });
    },
  );
};
