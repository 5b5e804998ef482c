import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Static } from 'typebox';
import {
  type CreateDeps,
  type CreateRequest,
  createDetailed,
  createTransaction,
  type DetailedRequest,
} from '../../../payments/index.ts';
import { type CreateOptionDeps, createOptionsOf } from '../create-options.ts';
import { checkMetadata } from '../metadata.ts';
import { callerOf } from '../plugins/authenticate.ts';
import {
  CreateDetailedBody,
  CreateHeaders,
  CreateTransactionBody,
  createdResponse,
  DEFAULT_CURRENCY,
} from '../schemas/create-transaction.ts';
import { CREATE_FAILURES, failures } from '../schemas/error.ts';

/** Creating transactions, of an amount or of items. */
export const createTransactionRoutes: FastifyPluginAsyncTypebox<CreateDeps & CreateOptionDeps> = async (app, deps) => {
  app.post(
    '/transactions/create',
    {
      schema: {
        operationId: 'createTransaction',
        summary: 'Create a transaction',
        description:
          'Locks an exchange rate, derives a fresh deposit address from your wallet, opens the payment window and answers with the transaction. Send the customer to its `payment_url`. Fields that are not listed are refused.',
        tags: ['Transactions'],
        headers: CreateHeaders,
        body: CreateTransactionBody,
        response: {
          201: createdResponse,
          ...failures(...CREATE_FAILURES),
        },
      },
    },
    async (request, reply) => {
      const input = toCreateRequest(request.body);
      const { idempotencyKey, specials } = createOptionsOf(request, deps);
      const created = await createTransaction(deps, callerOf(request), input, idempotencyKey, specials);
      if (created.replayed) void reply.header('X-Idempotency-Replayed', 'true');
      return reply.code(201).send({ success: true, data: created.transaction });
    },
  );

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
      const input = toDetailedRequest(request.body);
      const { idempotencyKey, specials } = createOptionsOf(request, deps);
      const created = await createDetailed(deps, callerOf(request), input, idempotencyKey, specials);
      if (created.replayed) void reply.header('X-Idempotency-Replayed', 'true');
      return reply.code(201).send({ success: true, data: created.transaction });
    },
  );
};

// Helpers

function toCreateRequest(body: Static<typeof CreateTransactionBody>): CreateRequest {
  const { crypto, amount, currency_fiat: currencyFiat = DEFAULT_CURRENCY, metadata = null } = body;
  return {
    crypto,
    amount,
    currencyFiat,
    metadata: metadata === null ? null : checkMetadata(metadata),
    customerEmail: body.customer_email ?? null,
    successUrl: body.success_url ?? null,
    cancelUrl: body.cancel_url ?? null,
  };
}

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
