import {
  exportJournal,
  getActor,
  importJournal,
  listActors,
  listNextTimers,
  previewOperatorEvent,
  readJournalPage,
  readStepDetail,
  regressionTestOf,
  sendOperatorEvent,
} from '../../../operations/index.ts';
import { RetryableError } from '../../../platform/errors.ts';
import { IdParams } from '../schema.ts';
import { guard, operatorOf } from './guard.ts';
import type { OperatorApp, OperatorOptions } from './options.ts';
import { ActorsQuery, EventBody, ExportQuery, JournalQuery, PreviewBody, StepParams } from './schemas.ts';

const DEFAULT_ACTORS = 50;
const DEFAULT_STEPS = 2_000;
/** A journal of thousands of steps. */
const MAX_FILE_BYTES = 4 * 1_024 * 1_024;
const FILE_RETRY_MS = 2_000;

/** Lists of actors, single actors, their history, and sending events to them. */
export function actorRoutes(app: OperatorApp, { deps }: OperatorOptions): void {
  const read = { onRequest: guard.read };

  app.get('/actors', { ...read, schema: { querystring: ActorsQuery } }, async ({ query }) => {
    const { cursor = null, limit = DEFAULT_ACTORS, ...filter } = query;
    return { data: await listActors(deps, { filter, cursor, limit }) };
  });
  app.get('/timers', read, async () => ({ data: await listNextTimers(deps) }));
  app.get('/actors/:id', { ...read, schema: { params: IdParams } }, async ({ params }) => ({
    data: await getActor(deps, params.id),
  }));
  const journal = { params: IdParams, querystring: JournalQuery };
  app.get('/actors/:id/journal', { ...read, schema: journal }, async ({ params, query }) => ({
    data: await readJournalPage(deps.db, params.id, { after: 0, limit: DEFAULT_STEPS, ...query }),
  }));
  app.get('/actors/:id/moments/:sequence', { ...read, schema: { params: StepParams } }, async ({ params }) => ({
    data: await readStepDetail(deps, params.id, params.sequence),
  }));
  const exporting = { params: IdParams, querystring: ExportQuery };
  app.get('/actors/:id/export', { ...read, schema: exporting }, async ({ params, query }, reply) => {
    const file = await exportJournal(deps.db, params.id);
    if (query.format !== 'test') return { data: file };
    return reply
      .type('text/plain; charset=utf-8')
      .header('content-disposition', 'attachment; filename="regression.test.ts"')
      .send(regressionTestOf(file));
  });
  // Only reads, so observers may use it; a POST because of the size of the file.
  // One at a time, so that memory and the time taken from payments stay bounded.
  let isReadingFile = false;
  app.post('/journals/read', { ...read, bodyLimit: MAX_FILE_BYTES }, async ({ body }) => {
    if (isReadingFile) throw fileReaderBusy();
    isReadingFile = true;
    try {
      return { data: await importJournal(deps.kinds, body) };
    } finally {
      isReadingFile = false;
    }
  });
  // A preview changes nothing, so observers may use it.
  const preview = { params: IdParams, body: PreviewBody };
  app.post('/actors/:id/preview', { ...read, schema: preview }, async (request) => {
    const { type, fields = {}, reason = '' } = request.body;
    const draft = { type, fields, reason: reason === '' ? 'Not specified' : reason };
    return { data: await previewOperatorEvent(deps, operatorOf(request), request.params.id, draft) };
  });
  const sending = { params: IdParams, body: EventBody };
  app.post('/actors/:id/events', { onRequest: guard.decide, schema: sending }, async (request) => ({
    data: await sendOperatorEvent(deps, operatorOf(request), request.params.id, { fields: {}, ...request.body }),
  }));
}

// Helpers

function fileReaderBusy(): RetryableError {
  const message = 'Another journal file is being read; try again in a few seconds';
  return new RetryableError('JOURNAL_READER_BUSY', message, { retryAfterMs: FILE_RETRY_MS });
}
