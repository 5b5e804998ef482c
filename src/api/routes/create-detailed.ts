import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Static } from 'typebox';
import { type CreateDeps, createDetailed, type DetailedRequest } from '../../payments/index.ts';
import { type CreateOptionDeps, createOptionsOf } from '../create-options.ts';
import { checkMetadata } from '../metadata.ts';
import { callerOf } from '../plugins/authenticate.ts';
import { CreateDetailedBody, CreateHeaders, DEFAULT_CURRENCY } from '../schemas/create-transaction.ts';
import { createdResponse } from '../schemas/created.ts';
import { CREATE_FAILURES, failures } from '../schemas/error.ts';

export const createDetailedRoute: FastifyPluginAsyncTypebox<CreateDeps & CreateOptionDeps> = async (app, deps) => {
  app.post(
    '/transactions/create-detailed',
    {
      schema: {
        operationId: 'createDetailedTransaction',
        summary: 'Create an itemized transaction',
        description:
          'Like `POST /transactions/create`, with what is bought in place of the amount, and your order id. Professional and enterprise plans. Idempotency keys are shared with that endpoint.',
        tags: ['Transactions'],
        headers: CreateHeaders,
        body: CreateDetailedBody,
        response: {
          201: createdResponse,
          ...failures(...CREATE_FAILURES, 'MISSING_ITEMS', 'MISSING_ORDER_ID', 'PLAN_UPGRADE_REQUIRED'),
        },
      },
    },
    async (request, reply) => {
      const wanted = toDetailedRequest(request.body);
      const { idempotencyKey, specials } = createOptionsOf(request, deps);
      const created = await createDetailed(deps, callerOf(request), wanted, idempotencyKey, specials);
      if (created.replayed) void reply.header('X-Idempotency-Replayed', 'true');
      return reply.code(201).send({ success: true, data: created.transaction });
    },
  );
};

// Helpers

function toDetailedRequest(body: Static<typeof CreateDetailedBody>): DetailedRequest {
  const { crypto, items, order_id: orderId, currency_fiat: currencyFiat = DEFAULT_CURRENCY, metadata = null } = body;
  return {
    crypto,
    items: items.map(({ name, quantity = 1, price }) => ({ name, quantity, price })),
    orderId,
    currencyFiat,
    metadata: metadata === null ? null : checkMetadata(metadata),
    customerEmail: body.customer_email ?? null,
    successUrl: body.success_url ?? null,
    cancelUrl: body.cancel_url ?? null,
  };
}
