import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { callerOf } from '../plugins/authenticate.ts';
import type { Payments } from '../ports.ts';
import { failures } from '../schemas/error.ts';
import { ref } from '../schemas/ref.ts';
import { TransactionEnvelope } from '../schemas/transaction.ts';
import { requireTransactionId, TransactionParams } from '../schemas/transaction-params.ts';

export const getTransactionRoute: FastifyPluginAsyncTypebox<{ payments: Pick<Payments, 'get'> }> = async (
  app,
  { payments },
) => {
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
      const transaction = await payments.get(callerOf(request), transactionId);
      return reply.send({ success: true, data: transaction });
    },
  );
};
