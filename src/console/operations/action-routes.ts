import type { FastifyInstance } from 'fastify';
import type { ActionPage } from '../contract/actions.ts';
import type { OperationsOptions } from './options.ts';
import { type Query, readText, readWhole, requireKnown } from './read-query.ts';

const DEFAULT_ACTIONS = 100;
const MAX_ACTIONS = 200;

/** Audited actions of operators, for operators and observers. */
export function actionRoutes(app: FastifyInstance, { operations, guard }: OperationsOptions): void {
  app.get<{ Querystring: Query }>('/actions', { onRequest: guard.read }, async ({ query }) => {
    requireKnown(query, ['who', 'cursor', 'limit']);
    const limit = Math.max(1, readWhole(query, 'limit', MAX_ACTIONS) ?? DEFAULT_ACTIONS);
    const page = { who: readText(query, 'who'), cursor: readText(query, 'cursor'), limit };
    return { data: (await operations.actions(page)) satisfies ActionPage };
  });
}
