import { randomUUID } from 'node:crypto';
import {
  getRun,
  listDeadLetters,
  listRuns,
  MAX_DEAD_LETTERS_PER_PAGE,
  moveRunAsOperator,
  planRun,
  type RunMove,
  type RunPlan,
  resolveAlert,
  resolveDeadLetter,
} from '../../../operations/index.ts';
import { TerminalError } from '../../../platform/errors.ts';
import { IdParams } from '../schema.ts';
import { guard, operatorOf } from './guard.ts';
import type { OperatorApp, OperatorOptions } from './options.ts';
import { AlertParams, DeadLettersQuery, ReasonBody, RunBody } from './schemas.ts';

const RUN_MOVES = ['start', 'pause', 'cancel'] as const satisfies readonly RunMove[];

/** Bulk runs: planned first, then started, and monitored. */
export function runRoutes(app: OperatorApp, { deps }: OperatorOptions): void {
  const ofRun = { params: IdParams };
  app.get('/runs', { onRequest: guard.read }, async () => ({ data: await listRuns(deps.db) }));
  app.get('/runs/:id', { onRequest: guard.read, schema: ofRun }, async ({ params }) => ({
    data: await getRun(deps.db, { runId: params.id }),
  }));
  app.post('/runs', { onRequest: guard.write, schema: { body: RunBody } }, async (request) => ({
    data: await planRun(deps, operatorOf(request), toPlan(request.body)),
  }));
  for (const move of RUN_MOVES) {
    const onRequest = move === 'start' ? guard.decide : guard.write;
    app.post(`/runs/:id/${move}`, { onRequest, schema: ofRun }, async (request) => ({
      data: await moveRunAsOperator(deps, operatorOf(request), request.params.id, move),
    }));
  }
}

export function deadLetterRoutes(app: OperatorApp, { deps }: OperatorOptions): void {
  const listing = { onRequest: guard.read, schema: { querystring: DeadLettersQuery } };
  app.get('/dead-letters', listing, async ({ query }) => ({
    data: await listDeadLetters(deps.db, { cursor: null, limit: MAX_DEAD_LETTERS_PER_PAGE, ...query }),
  }));
  for (const what of ['retry', 'dismiss'] as const) {
    const resolving = { onRequest: guard.decide, schema: { params: IdParams, body: ReasonBody } };
    app.post(`/dead-letters/:id/${what}`, resolving, async (request) => ({
      data: await resolveDeadLetter(deps, operatorOf(request), request.params.id, { ...request.body, what }),
    }));
  }
}

export function alertRoutes(app: OperatorApp, { deps }: OperatorOptions): void {
  const resolving = { onRequest: guard.decide, schema: { params: AlertParams, body: ReasonBody } };
  app.post('/alerts/:id/resolve', resolving, async (request, reply) => {
    await resolveAlert(deps, operatorOf(request), request.params.id, request.body);
    return reply.code(204).send();
  });
}

// Helpers

function toPlan({ task, filter, reason, requestId = randomUUID() }: RunBody): RunPlan {
  if (task.what === 'retry_dead_letter') {
    if (filter === undefined) return { task, filter: null, reason, requestId };
    throw invalidFilter('is for events; set the queue of dead letters in task.queue');
  }
  if (filter === undefined) throw invalidFilter('is missing: specify which actors receive the event');
  return { task: { fields: {}, ...task }, filter, reason, requestId };
}

function invalidFilter(problem: string): TerminalError {
  return new TerminalError('INVALID_REQUEST', `filter ${problem}`, { field: 'filter' });
}
