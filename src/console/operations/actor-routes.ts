import type { FastifyInstance } from 'fastify';
import { TerminalError } from '../../errors.ts';
import {
  exportJournal,
  getActor,
  importJournal,
  listActors,
  listNextTimers,
  previewOperatorEvent,
  readJournalPage,
  readMoment,
  regressionTestOf,
  sendOperatorEvent,
} from '../../operations/index.ts';
import type { NextTimer } from '../contract/actors.ts';
import type { OperatorOptions } from './options.ts';
import { type Query, readFilter, readText, readWhole, requireKnown } from './read-query.ts';
import { readDraft, readEventRequest } from './read-requests.ts';

const DEFAULT_ACTORS = 50;
const MAX_ACTORS = 200;
const MAX_STEPS = 2_000;
/** A journal of thousands of steps. */
const MAX_FILE_BYTES = 16 * 1_024 * 1_024;

interface OfActor {
  Params: { id: string };
  Querystring: Query;
}

/** Lists of actors, single actors, their history, and sending events to them. */
export function actorRoutes(app: FastifyInstance, { deps, guard, operatorOf }: OperatorOptions): void {
  const read = { onRequest: guard.read };
  const write = { onRequest: guard.write };

  app.get<{ Querystring: Query }>('/actors', read, async ({ query }) => {
    const { cursor: _, limit: __, ...filter } = query;
    const limit = readWhole(query, 'limit', MAX_ACTORS) ?? DEFAULT_ACTORS;
    if (limit === 0) throw invalid('limit', `must be from 1 to ${MAX_ACTORS}`);
    return { data: await listActors(deps, { filter: readFilter(filter), cursor: readText(query, 'cursor'), limit }) };
  });
  app.get('/timers', read, async () => ({ data: (await listNextTimers(deps)) satisfies readonly NextTimer[] }));
  app.get<OfActor>('/actors/:id', read, async ({ params }) => ({ data: await getActor(deps, params.id) }));
  app.get<OfActor>('/actors/:id/journal', read, async ({ params, query }) => {
    requireKnown(query, ['after', 'limit']);
    const after = readWhole(query, 'after', Number.MAX_SAFE_INTEGER) ?? 0;
    const limit = readWhole(query, 'limit', MAX_STEPS) ?? MAX_STEPS;
    return { data: await readJournalPage(deps.db, params.id, { after, limit: Math.max(1, limit) }) };
  });
  app.get<{ Params: { id: string; sequence: string } }>('/actors/:id/moments/:sequence', read, async ({ params }) => {
    const sequence = readWhole(params, 'sequence', Number.MAX_SAFE_INTEGER) ?? 0;
    return { data: await readMoment(deps, params.id, sequence) };
  });
  app.get<OfActor>('/actors/:id/export', read, async ({ params, query }, reply) => {
    requireKnown(query, ['format']);
    const format = readText(query, 'format') ?? 'json';
    if (format !== 'json' && format !== 'test') throw invalid('format', 'must be json or test');
    const file = await exportJournal(deps.db, params.id);
    if (format === 'json') return { data: file };
    return reply
      .type('text/plain; charset=utf-8')
      .header('content-disposition', 'attachment; filename="regression.test.ts"')
      .send(regressionTestOf(file));
  });
  // Only reads, so observers may use it; a POST because of the size of the file.
  app.post('/journals/read', { ...read, bodyLimit: MAX_FILE_BYTES }, async ({ body }) => ({
    data: importJournal(deps.kinds, body),
  }));
  // A preview changes nothing, so observers may use it.
  app.post<OfActor>('/actors/:id/preview', read, async (request) => ({
    data: await previewOperatorEvent(deps, operatorOf(request), request.params.id, readDraft(request.body)),
  }));
  app.post<OfActor>('/actors/:id/events', write, async (request) => ({
    data: await sendOperatorEvent(deps, operatorOf(request), request.params.id, readEventRequest(request.body)),
  }));
}

// Helpers

function invalid(name: string, problem: string): TerminalError {
  return new TerminalError('INVALID_REQUEST', `${name} ${problem}`, { field: name });
}
