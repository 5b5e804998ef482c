import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type DecideWithKeyDeps, decideWithKey } from '../../payments/index.ts';
import { callerOf } from '../plugins/authenticate.ts';
import { DecisionBody } from '../schemas/decision.ts';
import { failures } from '../schemas/error.ts';
import { ref } from '../schemas/ref.ts';
import { TransactionEnvelope } from '../schemas/transaction.ts';
import { requireTransactionId, TransactionParams } from '../schemas/transaction-params.ts';

export const decideTransactionRoute: FastifyPluginAsyncTypebox<DecideWithKeyDeps> = async (app, deps) => {
  app.post(
    '/transactions/:transaction_id/decision',
    {
      schema: {
        operationId: 'decideTransaction',
        summary: 'Decide about a payment that waits for it',
        description:
          'What the dashboard does for a transaction with an exception. 409 INVALID_STATE when the transaction is past `seen_step`, with what has changed, and when the action does not fit. Sending the same decision again is safe.',
        tags: ['Transactions'],
        params: TransactionParams,
        body: DecisionBody,
        response: { 200: ref(TransactionEnvelope), ...failures('TRANSACTION_NOT_FOUND', 'INVALID_STATE') },
      },
    },
    async (request, reply) => {
      const transactionId = requireTransactionId(request.params);
      const { action, reason, seen_step: seenStep } = request.body;
      const transaction = await decideWithKey(deps, callerOf(request), { transactionId, action, reason, seenStep });
      return reply.send({ success: true, data: transaction });
    },
  );
};
