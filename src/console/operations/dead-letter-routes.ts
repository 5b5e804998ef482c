import type { FastifyInstance } from 'fastify';
import { listDeadLetters, resolveDeadLetter } from '../../operations/index.ts';
import type { OperatorOptions } from './options.ts';
import { type Query, readText, readWhole, requireKnown } from './read-query.ts';
import { readDeadLetterRequest } from './read-requests.ts';

const MAX_DEAD_LETTERS = 200;

interface OfDeadLetter {
  Params: { id: string };
}

/** Dead letters: list, retry and dismiss. */
export function deadLetterRoutes(app: FastifyInstance, { deps, guard, operatorOf }: OperatorOptions): void {
  app.get<{ Querystring: Query }>('/dead-letters', { onRequest: guard.read }, async ({ query }) => {
    requireKnown(query, ['cursor', 'limit', 'queue', 'reason']);
    const limit = Math.max(1, readWhole(query, 'limit', MAX_DEAD_LETTERS) ?? MAX_DEAD_LETTERS);
    const [queue, reason] = [readText(query, 'queue'), readText(query, 'reason')];
    const page = {
      cursor: readText(query, 'cursor'),
      limit,
      ...(queue === null ? {} : { queue }),
      ...(reason === null ? {} : { reason }),
    };
    return { data: await listDeadLetters(deps.db, page) };
  });
  for (const what of ['retry', 'dismiss'] as const) {
    app.post<OfDeadLetter>(`/dead-letters/:id/${what}`, { onRequest: guard.write }, async (request) => {
      const wanted = { ...readDeadLetterRequest(request.body), what };
      return { data: await resolveDeadLetter(deps, operatorOf(request), request.params.id, wanted) };
    });
  }
}
