import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { createTransactionReader, type ReadDeps } from '../../payments/index.ts';
import { callerOf } from '../plugins/authenticate.ts';
import { failures } from '../schemas/error.ts';
import { ref } from '../schemas/ref.ts';
import { TransactionEnvelope } from '../schemas/transaction.ts';
import { requireTransactionId, TransactionParams } from '../schemas/transaction-params.ts';

export const getTransactionRoute: FastifyPluginAsyncTypebox<ReadDeps> = async (app, deps) => {
  const reader = createTransactionReader(deps);
  app.get(
    '/transactions/:transaction_id',
    {
      schema: {
        operationId: 'getTransaction',
        summary: 'Get a transaction',
        description: 'One of your transactions, as it is now.',
        tags: ['Transactions'],
        params: TransactionParams,
        response: { 200: ref(TransactionEnvelope), ...failures('TRANSACTION_NOT_FOUND') },
      },
    },
    async (request, reply) => {
      const transactionId = requireTransactionId(request.params);
      const transaction = await reader.get(callerOf(request), transactionId);
      return reply.send({ success: true, data: transaction });
    },
  );
};
