import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Static } from 'typebox';
import { type SimulateDeps, type SimulateRequest, simulate } from '../../payments/index.ts';
import { callerOf, requireTestKey } from '../plugins/authenticate.ts';
import { failures } from '../schemas/error.ts';
import { ref } from '../schemas/ref.ts';
import { SimulateBody } from '../schemas/simulate.ts';
import { TransactionEnvelope } from '../schemas/transaction.ts';
import { requireTransactionId, TransactionParams } from '../schemas/transaction-params.ts';

export const simulateTransactionRoute: FastifyPluginAsyncTypebox<SimulateDeps> = async (app, deps) => {
  app.post(
    '/transactions/:transaction_id/simulate',
    {
      onRequest: requireTestKey,
      schema: {
        operationId: 'simulateTransaction',
        summary: 'Simulate a payment (test keys only)',
        description:
          'Lets something happen on the simulated chain and clock of one test transaction, and answers with the transaction after it. Webhooks are sent as for real coins. FORBIDDEN for live keys, and for test payments on a test network.',
        tags: ['Transactions'],
        params: TransactionParams,
        body: SimulateBody,
        response: { 200: ref(TransactionEnvelope), ...failures('FORBIDDEN', 'TRANSACTION_NOT_FOUND', 'INVALID_STATE') },
      },
    },
    async (request, reply) => {
      const transactionId = requireTransactionId(request.params);
      const transaction = await simulate(deps, callerOf(request), transactionId, toSimulateRequest(request.body));
      return reply.send({ success: true, data: transaction });
    },
  );
};

// Helpers

function toSimulateRequest(body: Static<typeof SimulateBody>): SimulateRequest {
  const { action, amount_crypto: amountCrypto, seconds } = body;
  return {
    action,
    ...(amountCrypto === undefined ? {} : { amountCrypto }),
    ...(seconds === undefined ? {} : { seconds }),
  };
}
