import { listDeadLetters, MAX_DEAD_LETTERS_PER_PAGE, resolveDeadLetter } from '../../operations/index.ts';
import { IdParams } from '../schema.ts';
import type { OperatorApp, OperatorOptions } from './options.ts';
import { DeadLettersQuery, ReasonBody } from './schemas.ts';

/** Dead letters: list, retry and dismiss. */
export function deadLetterRoutes(app: OperatorApp, { deps, guard, operatorOf }: OperatorOptions): void {
  const listing = { onRequest: guard.read, schema: { querystring: DeadLettersQuery } };
  app.get('/dead-letters', listing, async ({ query }) => ({
    data: await listDeadLetters(deps.db, { cursor: null, limit: MAX_DEAD_LETTERS_PER_PAGE, ...query }),
  }));
  for (const what of ['retry', 'dismiss'] as const) {
    const resolving = { onRequest: guard.write, schema: { params: IdParams, body: ReasonBody } };
    app.post(`/dead-letters/:id/${what}`, resolving, async (request) => ({
      data: await resolveDeadLetter(deps, operatorOf(request), request.params.id, { ...request.body, what }),
    }));
  }
}
