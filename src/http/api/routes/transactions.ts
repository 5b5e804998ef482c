import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Static } from 'typebox';
import {
  createTransactionReader,
  type DecideWithKeyDeps,
  decideWithKey,
  type ListRequest,
  listTransactions,
  type ReadDeps,
  type SimulateDeps,
  type SimulateRequest,
  simulate,
} from '../../../payments/index.ts';
import { TerminalError } from '../../../platform/errors.ts';
import { isId } from '../../../platform/ids.ts';
import { callerOf, requireTestKey } from '../plugins/require-secret-key.ts';
import { failures } from '../schemas/error.ts';
import { ref } from '../schemas/primitives.ts';
import { SimulateBody } from '../schemas/simulate.ts';
import { DecisionBody, requireTransactionId, TransactionEnvelope, TransactionParams } from '../schemas/transaction.ts';
import {
  DEFAULT_PAGE_SIZE,
  ListTransactionsQuery,
  MAX_IDS,
  TransactionListEnvelope,
} from '../schemas/transaction-list.ts';
import { clockMoveOf, timestampOf } from '../timestamps.ts';

/** Existing transactions: list, read, simulate and decide. */
export const transactionRoutes: FastifyPluginAsyncTypebox<ReadDeps & SimulateDeps & DecideWithKeyDeps> = async (
  app,
  deps,
) => {
  app.get(
    '/transactions/list',
    {
      schema: {
        operationId: 'listTransactions',
        summary: 'List transactions',
        description: 'Transactions in the mode of your key, live or test, newest first.',
        tags: ['Transactions'],
        querystring: ListTransactionsQuery,
        response: { 200: ref(TransactionListEnvelope), ...failures() },
      },
    },
    async (request, reply) => {
      const page = await listTransactions(deps, callerOf(request), toListRequest(request.query));
      return reply.send({ success: true, data: page });
    },
  );

  const reader = createTransactionReader(deps);
  app.get(
    '/transactions/:transaction_id',
    {
      schema: {
        operationId: 'getTransaction',
        summary: 'Get a transaction',
        description: 'Returns its current state.',
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

  app.post(
    '/transactions/:transaction_id/simulate',
    {
      onRequest: requireTestKey,
      schema: {
        operationId: 'simulateTransaction',
        summary: 'Simulate a payment (test keys only)',
        description:
          'Simulates an event on the chain or clock of a test transaction, and returns the transaction after it. Webhooks are sent as for real coins. FORBIDDEN for live keys, and for test payments on a test network.',
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

  app.post(
    '/transactions/:transaction_id/decision',
    {
      schema: {
        operationId: 'decideTransaction',
        summary: 'Decide about a payment',
        description:
          'Resolves the exception of a transaction, like the dashboard. 409 INVALID_STATE if the transaction is past `seen_step`, with what has changed, and if the action is not possible. Repeating the same decision is safe.',
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

// Helpers

function toListRequest(query: Static<typeof ListTransactionsQuery>): ListRequest {
  const { limit = DEFAULT_PAGE_SIZE, offset = 0, order_id: orderId, ids, ...others } = query;
  const { created_from: createdFrom, created_to: createdTo, ...filter } = others;
  return {
    limit,
    offset,
    ...filter,
    ...(orderId === undefined ? {} : { orderId }),
    ...(createdFrom === undefined ? {} : { createdFrom: timestampOf(createdFrom, 'created_from') }),
    ...(createdTo === undefined ? {} : { createdTo: timestampOf(createdTo, 'created_to') }),
    ...(ids === undefined ? {} : { ids: parseIds(ids) }),
  };
}

/** Malformed ids are unknown ids, which are skipped. */
function parseIds(text: string): string[] {
  const parts = text.split(',').flatMap((part) => part.trim() || []);
  if (parts.length > MAX_IDS) {
    throw new TerminalError('INVALID_REQUEST', `ids may contain at most ${MAX_IDS} ids, got ${parts.length}`);
  }
  return [...new Set(parts)].filter((part) => isId('txn', part));
}

function toSimulateRequest(body: Static<typeof SimulateBody>): SimulateRequest {
  const { action, amount_crypto: amountCrypto } = body;
  return { action, ...clockMoveOf(body), ...(amountCrypto === undefined ? {} : { amountCrypto }) };
}
