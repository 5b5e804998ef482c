import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Static } from 'typebox';
import { TerminalError } from '../../errors.ts';
import { isId } from '../../ids.ts';
import { type ListRequest, listTransactions, type ReadDeps } from '../../payments/index.ts';
import { momentOf } from '../moments.ts';
import { callerOf } from '../plugins/authenticate.ts';
import { failures } from '../schemas/error.ts';
import { ref } from '../schemas/ref.ts';
import {
  DEFAULT_PAGE_SIZE,
  ListTransactionsQuery,
  MAX_IDS,
  TransactionListEnvelope,
} from '../schemas/transaction-list.ts';

export const listTransactionsRoute: FastifyPluginAsyncTypebox<ReadDeps> = async (app, deps) => {
  app.get(
    '/transactions/list',
    {
      schema: {
        operationId: 'listTransactions',
        summary: 'List transactions',
        description: 'The transactions of the mode of your key, live or test, newest first.',
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
};

// Helpers

function toListRequest(query: Static<typeof ListTransactionsQuery>): ListRequest {
  const { limit = DEFAULT_PAGE_SIZE, offset = 0, status, crypto, exception, order_id: orderId, ids } = query;
  const { created_from: createdFrom, created_to: createdTo } = query;
  return {
    limit,
    offset,
    ...(status === undefined ? {} : { status }),
    ...(crypto === undefined ? {} : { crypto }),
    ...(exception === undefined ? {} : { exception }),
    ...(orderId === undefined ? {} : { orderId }),
    ...(createdFrom === undefined ? {} : { createdFrom: momentOf(createdFrom, 'created_from') }),
    ...(createdTo === undefined ? {} : { createdTo: momentOf(createdTo, 'created_to') }),
    ...(ids === undefined ? {} : { ids: parseIds(ids) }),
  };
}

/** Malformed ids are unknown ids, which are skipped. */
function parseIds(text: string): string[] {
  const parts = text.split(',').flatMap((part) => part.trim() || []);
  if (parts.length > MAX_IDS) {
    throw new TerminalError('INVALID_REQUEST', `ids may name at most ${MAX_IDS} transactions, got ${parts.length}`);
  }
  return [...new Set(parts)].filter((part) => isId('txn', part));
}
