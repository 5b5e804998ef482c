import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Static } from 'typebox';
import type { CreateRequest } from '../../payments/index.ts';
import { checkMetadata } from '../metadata.ts';
import { callerOf } from '../plugins/authenticate.ts';
import type { Payments } from '../ports.ts';
import { CreateTransactionBody, DEFAULT_CURRENCY, IdempotencyHeaders } from '../schemas/create-transaction.ts';
import { failures } from '../schemas/error.ts';
import { ref } from '../schemas/ref.ts';
import { TransactionEnvelope } from '../schemas/transaction.ts';

export const createTransactionRoute: FastifyPluginAsyncTypebox<{ payments: Pick<Payments, 'create'> }> = async (
  app,
  { payments },
) => {
  app.post(
    '/transactions/create',
    {
      schema: {
        operationId: 'createTransaction',
        summary: 'Create a transaction',
        description:
          'Locks an exchange rate, derives a fresh deposit address from your wallet, opens the payment window and answers with the transaction. Send the customer to its `payment_url`. Fields that are not listed are refused.',
        tags: ['Transactions'],
        headers: IdempotencyHeaders,
        body: CreateTransactionBody,
        response: {
          201: ref(TransactionEnvelope, {
            description: 'The transaction: a new one, or the original one when the idempotency key was used before.',
            headers: {
              'X-Idempotency-Replayed': {
                type: 'string',
                enum: ['true'],
                description: 'Present when the idempotency key was used before and nothing was created.',
              },
            },
          }),
          ...failures(
            'INVALID_CRYPTO',
            'INVALID_AMOUNT',
            'AMOUNT_TOO_LOW',
            'INVALID_CURRENCY',
            'INVALID_METADATA',
            'WALLET_NOT_CONFIGURED',
            'IDEMPOTENCY_CONFLICT',
            'RATE_FETCH_FAILED',
            'ADDRESS_GENERATION_FAILED',
          ),
        },
      },
    },
    async (request, reply) => {
      const wanted = toCreateRequest(request.body);
      const created = await payments.create(callerOf(request), wanted, idempotencyKeyOf(request.headers));
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

/** Node gives header names in lower case, whatever the schema and the caller write. */
function idempotencyKeyOf(headers: Readonly<Record<string, unknown>>): string | null {
  const key = headers['x-idempotency-key'];
  return typeof key === 'string' ? key : null;
}
