import type { FastifyInstance } from 'fastify';
import type { OperationsOptions } from './options.ts';
import { type Query, readText, readWhole, requireKnown } from './read-query.ts';

const MAX_MAILS = 100;

/**
 * Stored mails that were never sent, only for operators: they contain e-mail addresses, and those
 * to customers contain links that act in their name.
 */
export function mailRoutes(app: FastifyInstance, { operations, guard }: OperationsOptions): void {
  app.get<{ Querystring: Query }>('/mails', { onRequest: guard.write }, async ({ query }) => {
    requireKnown(query, ['cursor', 'limit']);
    const limit = Math.max(1, readWhole(query, 'limit', MAX_MAILS) ?? MAX_MAILS);
    return { data: await operations.mails({ cursor: readText(query, 'cursor'), limit }) };
  });
  app.get<{ Params: { id: string } }>('/mails/:id', { onRequest: guard.write }, async ({ params }) => ({
    data: await operations.mail(params.id),
  }));
}
