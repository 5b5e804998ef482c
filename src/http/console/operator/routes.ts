import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { DAY_MS, HOUR_MS } from '../../../../machines/index.ts';
import { getStoredEmail, type ListedEmail, listStoredEmails } from '../../../mail/index.ts';
import {
  listActions,
  listCharts,
  listChartVersions,
  listSetupGaps,
  migrateAsOperator,
  previewMigration,
  readActorIssues,
  readHealth,
  readPopulation,
  readThroughput,
} from '../../../operations/index.ts';
import { TerminalError } from '../../../platform/errors.ts';
import { liveRoute } from '../live/live-route.ts';
import { IdParams } from '../schema.ts';
import { foldedChart } from '../text-measurement/index.ts';
import { compileValidator } from '../validate.ts';
import { actorRoutes } from './actor-routes.ts';
import { MigrationBody, MigrationDraft, type Span, ThroughputQuery } from './chart-activity-schemas.ts';
import { guard, operatorOf } from './guard.ts';
import { merchantRoutes, planRoutes } from './merchant-routes.ts';
import type { OperatorApp, OperatorOptions } from './options.ts';
import { alertRoutes, deadLetterRoutes, runRoutes } from './run-routes.ts';
import {
  ActionsQuery,
  EmailsQuery,
  KindParams,
  LayoutQuery,
  MAX_EMAILS_PER_PAGE,
  PopulationQuery,
  type StoredEmail,
  type StoredEmailInfo,
  type StoredEmailPage,
  type SystemHealth,
} from './schemas.ts';

/**
 * Bodies contain a few short texts; a journal file, which is read but not stored, has a separate
 * limit.
 */
const MAX_BODY_BYTES = 16 * 1_024;
const DEFAULT_ACTIONS = 100;

/**
 * The operator console API, to be registered under `/console/api` in a guarded scope. Observers may
 * read, operators may also change data. Responses are `{data}`; lists include the cursor of the
 * next page.
 */
export const operatorRoutes: FastifyPluginAsyncTypebox<OperatorOptions> = async (app, options) => {
  const { deps } = options;
  app.setValidatorCompiler(compileValidator);
  app.addHook('onRoute', (route) => {
    route.bodyLimit ??= MAX_BODY_BYTES;
  });

  app.get('/health', { onRequest: guard.read }, async () => {
    const [health, issues, missing] = await Promise.all([readHealth(deps), readActorIssues(deps), listSetupGaps(deps)]);
    return { data: { ...health, issues, missing } satisfies SystemHealth };
  });
  // Audited actions of operators.
  app.get('/actions', { onRequest: guard.read, schema: { querystring: ActionsQuery } }, async ({ query }) => ({
    data: await listActions(deps.db, { who: null, cursor: null, limit: DEFAULT_ACTIONS, ...query }),
  }));
  chartRoutes(app, options);
  chartActivityRoutes(app, options);
  actorRoutes(app, options);
  alertRoutes(app, options);
  deadLetterRoutes(app, options);
  mailRoutes(app, options);
  runRoutes(app, options);
  merchantRoutes(app, options);
  planRoutes(app, options);
  liveRoute(app, {
    follow: (_request, listener, since) => deps.feed.join(listener, since),
    onRequest: guard.read,
  });
};

// Helpers

/** Charts, their layouts, and how many actors rest in each state. */
function chartRoutes(app: OperatorApp, { deps, layoutOf }: OperatorOptions): void {
  app.get('/charts', { onRequest: guard.read }, async () => ({ data: listCharts(deps.kinds) }));
  const layout = { onRequest: guard.read, schema: { params: KindParams, querystring: LayoutQuery } };
  app.get('/charts/:kind/layout', layout, async ({ params, query }) => {
    const charts = listCharts(deps.kinds);
    const chart = charts.find(({ kind }) => kind === params.kind);
    if (chart !== undefined) return { data: await layoutOf(query.detail === 'states' ? foldedChart(chart) : chart) };
    const kinds = charts.map(({ kind }) => kind).join(', ');
    throw new TerminalError('NOT_FOUND', `No chart has this name; the charts are ${kinds}`, { field: 'kind' });
  });
  const population = { onRequest: guard.read, schema: { querystring: PopulationQuery } };
  app.get('/population', population, async ({ query }) => ({ data: await readPopulation(deps, query.kind) }));
}

/**
 * Stored emails that were never sent, only for operators: they contain email addresses, and those
 * to customers contain links that act in their name.
 */
function mailRoutes(app: OperatorApp, { deps }: OperatorOptions): void {
  app.get('/mails', { onRequest: guard.write, schema: { querystring: EmailsQuery } }, async ({ query }) => {
    const { cursor: before, limit = MAX_EMAILS_PER_PAGE } = query;
    const { emails, hasMore } = await listStoredEmails(deps.db, { limit, ...(before === undefined ? {} : { before }) });
    const cursor = hasMore ? (emails.at(-1)?.id ?? null) : null;
    return { data: { mails: emails.map(infoOf), cursor } satisfies StoredEmailPage };
  });
  app.get('/mails/:id', { onRequest: guard.write, schema: { params: IdParams } }, async ({ params }) => {
    const email = await getStoredEmail(deps.db, params.id);
    if (email === null) throw new TerminalError('NOT_FOUND', 'No unsent email has this id', { field: 'id' });
    return { data: { ...infoOf(email), text: email.isToCustomer ? email.text : null } satisfies StoredEmail };
  });
}

function infoOf({ id, createdAt: at, recipient, fromName, subject }: ListedEmail): StoredEmailInfo {
  return { id, at, recipient, fromName, subject };
}

const SPAN_MS: Readonly<Record<Span, number>> = { hour: HOUR_MS, day: DAY_MS, week: 7 * DAY_MS };

/** State changes on a chart in a period, and the versions of a chart with their migration. */
function chartActivityRoutes(app: OperatorApp, { deps }: OperatorOptions): void {
  const throughput = { onRequest: guard.read, schema: { params: KindParams, querystring: ThroughputQuery } };
  app.get('/charts/:kind/throughput', throughput, async ({ params, query }) => ({
    data: await readThroughput(deps, { kind: params.kind, spanMs: SPAN_MS[query.span] }),
  }));
  app.get('/charts/:kind/versions', { onRequest: guard.read, schema: { params: KindParams } }, async ({ params }) => ({
    data: await listChartVersions(deps, params.kind),
  }));
  // A preview changes nothing, so observers may use it.
  const preview = { onRequest: guard.read, schema: { params: KindParams, body: MigrationDraft } };
  app.post('/charts/:kind/migration-preview', preview, async ({ params, body }) => ({
    data: await previewMigration(deps, { kind: params.kind, ...body }),
  }));
  const migration = { onRequest: guard.decide, schema: { params: KindParams, body: MigrationBody } };
  app.post('/charts/:kind/migrations', migration, async (request) => {
    const { kind } = request.params;
    await migrateAsOperator(deps, operatorOf(request), { kind, ...request.body });
    return { data: await listChartVersions(deps, kind) };
  });
}
