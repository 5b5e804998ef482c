import type { FastifyInstance } from 'fastify';
import { listActions } from '../../operations/index.ts';
import type { ActionPage } from '../contract/actions.ts';
import type { OperatorOptions } from './options.ts';
import { type Query, readText, readWhole, requireKnown } from './read-query.ts';

const DEFAULT_ACTIONS = 100;
const MAX_ACTIONS = 200;

/** Audited actions of operators, for operators and observers. */
export function actionRoutes(app: FastifyInstance, { deps, guard }: OperatorOptions): void {
  app.get<{ Querystring: Query }>('/actions', { onRequest: guard.read }, async ({ query }) => {
    requireKnown(query, ['who', 'cursor', 'limit']);
    const limit = Math.max(1, readWhole(query, 'limit', MAX_ACTIONS) ?? DEFAULT_ACTIONS);
    const page = { who: readText(query, 'who'), cursor: readText(query, 'cursor'), limit };
    return { data: (await listActions(deps.db, page)) satisfies ActionPage };
  });
}
