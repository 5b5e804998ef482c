import { DAY_MS, HOUR_MS } from '../../../../machines/index.ts';
import { listChartVersions, migrateAsOperator, previewMigration, readThroughput } from '../../../operations/index.ts';
import { MigrationBody, MigrationDraft, type Span, ThroughputQuery } from './chart-activity-schemas.ts';
import { guard, type OperatorApp, type OperatorOptions, operatorOf } from './options.ts';
import { KindParams } from './schemas.ts';

const SPAN_MS: Readonly<Record<Span, number>> = { hour: HOUR_MS, day: DAY_MS, week: 7 * DAY_MS };

/** State changes on a chart in a period, and the versions of a chart with their migration. */
export function chartActivityRoutes(app: OperatorApp, { deps }: OperatorOptions): void {
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
  const migration = { onRequest: guard.write, schema: { params: KindParams, body: MigrationBody } };
  app.post('/charts/:kind/migrations', migration, async (request) => {
    const { kind } = request.params;
    await migrateAsOperator(deps, operatorOf(request), { kind, ...request.body });
    return { data: await listChartVersions(deps, kind) };
  });
}
