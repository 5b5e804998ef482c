import { isIP } from 'node:net';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import {
  type ClientHash,
  type CreateDeps,
  type Created,
  type CreateRequest,
  createDetailed,
  createTransaction,
  type DetailedRequest,
  type PaymentOptions,
} from '../../../payments/index.ts';
import { TerminalError } from '../../../platform/errors.ts';
import { checkMetadata } from '../metadata.ts';
import { callerOf } from '../plugins/require-secret-key.ts';
import {
  CreateDetailedBody,
  CreateHeaders,
  CreateTransactionBody,
  createdResponse,
  DEFAULT_CURRENCY,
} from '../schemas/create-transaction.ts';
import { CREATE_FAILURES, failures } from '../schemas/error.ts';

interface CreateOptionDeps {
  readonly clientHash: ClientHash;
}

export const createTransactionRoutes: FastifyPluginAsyncTypebox<CreateDeps & CreateOptionDeps> = async (app, deps) => {
  app.post(
    '/transactions/create',
    {
      schema: {
        operationId: 'createTransaction',
        summary: 'Create a transaction',
        description:
          'Locks an exchange rate, derives a new deposit address from your wallet, opens the payment window and returns the transaction. Send the customer to its `payment_url`. Unknown fields are rejected.',
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
      const { idempotencyKey, options } = createOptionsOf(request, deps);
      const created = await createTransaction(deps, callerOf(request), input, idempotencyKey, options);
      return replyCreated(reply, created);
    },
  );

  app.post(
    '/transactions/create-detailed',
    {
      schema: {
        operationId: 'createDetailedTransaction',
        summary: 'Create an itemized transaction',
        description:
          'Like `POST /transactions/create`, with line items instead of the amount, and your order id. Professional and enterprise plans only. Idempotency keys are shared with that endpoint.',
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
      const { idempotencyKey, options } = createOptionsOf(request, deps);
      const created = await createDetailed(deps, callerOf(request), input, idempotencyKey, options);
      return replyCreated(reply, created);
    },
  );
};

// Helpers

function toCreateRequest(body: Static<typeof CreateTransactionBody>): CreateRequest {
  return { ...commonOf(body), amount: body.amount };
}

function toDetailedRequest({ items, order_id: orderId, ...body }: Static<typeof CreateDetailedBody>): DetailedRequest {
  return {
    ...commonOf(body),
    items: items.map(({ name, quantity = 1, price }) => ({ name, quantity, price })),
    orderId,
  };
}

type CommonBody = Omit<Static<typeof CreateTransactionBody>, 'amount'>;

function commonOf(body: CommonBody): Omit<CreateRequest, 'amount' | 'detail'> {
  const { crypto, currency_fiat: currencyFiat = DEFAULT_CURRENCY, metadata = null } = body;
  return {
    crypto,
    currencyFiat,
    metadata: metadata === null ? null : checkMetadata(metadata),
    customerEmail: body.customer_email ?? null,
    successUrl: body.success_url ?? null,
    cancelUrl: body.cancel_url ?? null,
  };
}

function replyCreated(reply: FastifyReply, { replayed, transaction }: Created) {
  if (replayed) void reply.header('X-Idempotency-Replayed', 'true');
  void reply.code(201);
  return { success: true as const, data: transaction };
}

interface CreateOptions {
  readonly idempotencyKey: string | null;
  /** Names the customer when they may have only one open payment. */
  readonly options: PaymentOptions;
}

/** Node.js gives header names in lower case, however they are written. */
function createOptionsOf(request: FastifyRequest, { clientHash }: CreateOptionDeps): CreateOptions {
  const caller = callerOf(request);
  const idempotencyKey = textOf(request, 'x-idempotency-key');
  const address = customerAddressOf(request) ?? (caller.oneOpenPaymentPerIp ? request.ip : null);
  return { idempotencyKey, options: address === null ? {} : { clientHash: clientHash(caller, address) } };
}

function customerAddressOf(request: FastifyRequest): string | null {
  const address = textOf(request, 'x-customer-ip');
  if (address === null) return null;
  // A zone identifies an interface of one machine, not a customer.
  if (isIP(address) !== 0 && !address.includes('%')) return address;
  throw new TerminalError('INVALID_REQUEST', 'X-Customer-IP must be one IPv4 or IPv6 address', {
    field: 'X-Customer-IP',
  });
}

function textOf({ headers }: FastifyRequest, name: string): string | null {
  const text = headers[name];
  return typeof text === 'string' ? text : null;
}
