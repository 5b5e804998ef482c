import type { FastifyInstance } from 'fastify';
import { getRun, listRuns, moveRunAsOperator, planRun, type RunMove } from '../../operations/index.ts';
import type { OperatorOptions } from './options.ts';
import { readRunPlan } from './read-requests.ts';

const RUN_MOVES = ['start', 'pause', 'cancel'] as const satisfies readonly RunMove[];

interface OfRun {
  Params: { id: string };
}

/** Bulk runs: planned first, then started, and monitored. */
export function runRoutes(app: FastifyInstance, { deps, guard, operatorOf }: OperatorOptions): void {
  app.get('/runs', { onRequest: guard.read }, async () => ({ data: await listRuns(deps.db) }));
  app.get<OfRun>('/runs/:id', { onRequest: guard.read }, async ({ params }) => ({
    data: await getRun(deps.db, { runId: params.id }),
  }));
  app.post('/runs', { onRequest: guard.write }, async (request) => ({
    data: await planRun(deps, operatorOf(request), readRunPlan(request.body)),
  }));
  for (const move of RUN_MOVES) {
    app.post<OfRun>(`/runs/:id/${move}`, { onRequest: guard.write }, async (request) => ({
      data: await moveRunAsOperator(deps, operatorOf(request), request.params.id, move),
    }));
  }
}
