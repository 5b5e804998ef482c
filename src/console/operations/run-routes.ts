import type { FastifyInstance } from 'fastify';
import type { OperationsOptions } from './options.ts';
import { RUN_MOVES } from './port.ts';
import { readRunRequest } from './read-requests.ts';

interface OfRun {
  Params: { id: string };
}

/** Bulk runs: planned first, then started, and monitored. */
export function runRoutes(app: FastifyInstance, { operations, guard, operatorOf }: OperationsOptions): void {
  app.get('/runs', { onRequest: guard.read }, async () => ({ data: await operations.runs() }));
  app.get<OfRun>('/runs/:id', { onRequest: guard.read }, async ({ params }) => ({
    data: await operations.run(params.id),
  }));
  app.post('/runs', { onRequest: guard.write }, async (request) => ({
    data: await operations.planRun(operatorOf(request), readRunRequest(request.body)),
  }));
  for (const move of RUN_MOVES) {
    app.post<OfRun>(`/runs/:id/${move}`, { onRequest: guard.write }, async (request) => ({
      data: await operations.moveRun(operatorOf(request), request.params.id, move),
    }));
  }
}
