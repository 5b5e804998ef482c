import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { promtool } from '../support/outside/promtool.ts';
import { type Scrape, scrape } from '../support/outside/scrape.ts';
import { describeWith } from '../support/run/components.ts';
import { createTestService, type RunningService } from '../support/service/service.ts';

const DASHBOARD = 'deploy/grafana/quittance.json';
const COLUMNS = 24;

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly datasource?: unknown;
  readonly targets?: readonly { readonly refId: string; readonly expr: string; readonly datasource: unknown }[];
}

interface Dashboard {
  readonly id: unknown;
  readonly uid: string;
  readonly title: string;
  readonly schemaVersion: number;
  readonly __requires: readonly { readonly type: string; readonly id: string }[];
  readonly templating: { readonly list: readonly { readonly name: string; readonly type: string }[] };
  readonly panels: readonly Panel[];
}

const dashboard = JSON.parse(await readFile(DASHBOARD, 'utf8')) as Dashboard;
const charts = dashboard.panels.filter(({ type }) => type !== 'row');
const expressions = charts.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

describe('the Grafana dashboard', () => {
  test('can be imported: no id, a version, and a selectable data source', () => {
    expect(dashboard.id).toBeNull();
    expect(dashboard.uid).toMatch(/^[A-Za-z0-9_-]{1,40}$/);
    expect(dashboard.schemaVersion).toBeGreaterThanOrEqual(36);
    expect(dashboard.templating.list.map(({ name, type }) => ({ name, type }))).toEqual([
      { name: 'datasource', type: 'datasource' },
      { name: 'job', type: 'query' },
    ]);
    const required = dashboard.__requires.filter(({ type }) => type === 'panel').map(({ id }) => id);
    expect(required.toSorted()).toEqual([...new Set(charts.map(({ type }) => type))].toSorted());
  });

  test('has panels with unique ids and titles, each querying the selected source and installation', () => {
    const { panels } = dashboard;
    expect(charts.length).toBeGreaterThan(30);
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const source = { type: 'prometheus', uid: `\${datasource}` };
    for (const { title, datasource, targets = [] } of charts) {
      expect({ title, datasource }).toEqual({ title, datasource: source });
      expect(targets.length).toBeGreaterThan(0);
      expect(new Set(targets.map(({ refId }) => refId)).size).toBe(targets.length);
      for (const target of targets) {
        expect({ title, datasource: target.datasource }).toEqual({ title, datasource: source });
        expect({ title, expr: target.expr }).toEqual({ title, expr: expect.stringContaining('job="$job"') });
      }
    }
  });

  test('has no overlapping panels', () => {
    const taken = new Map<string, string>();
    for (const { title, gridPos } of dashboard.panels) {
      expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(COLUMNS);
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1) {
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
          expect(`${x},${y}: ${taken.get(`${x},${y}`) ?? title}`).toBe(`${x},${y}: ${title}`);
          taken.set(`${x},${y}`, title);
        }
      }
    }
  });

  test('has a row for each component', () => {
    const rows = dashboard.panels.filter(({ type }) => type === 'row').map(({ title }) => title);
    expect(rows).toEqual([
      'Overview',
      'Money path',
      'Chains',
      'Webhooks and mail',
      'HTTP',
      'Database and bus',
      'Process',
    ]);
  });
});

const describeWithPromtool = describeWith('promtool');

describeWithPromtool('in Prometheus', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quittance-dashboard-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('all expressions of the dashboard parse', async () => {
    const rules = expressions.map((expr, index) => ({
      record: `dashboard:expression:${index}`,
      expr: withoutVariables(expr),
    }));
    const file = join(folder, 'expressions.yml');
    await writeFile(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }));
    const { exitCode, output } = await promtool(['check', 'rules', file]);
    expect(output).toContain(`${expressions.length} rules found`);
    expect(exitCode).toBe(0);
  });
});

describe('a running service', () => {
  let service: RunningService;
  let seen: Scrape;

  beforeAll(async () => {
    service = await createTestService({ isQuickOnPostgres: true, env: { MONITOR_PORT: '0' } });
    await service.start();
    seen = await scrape(service.monitorUrl);
  });
  afterAll(() => service?.remove());

  test('exposes every metric that the dashboard and the rules use', async () => {
    const rules = await readFile('deploy/prometheus/quittance.rules.yml', 'utf8');
    const recorded = new Set([...rules.matchAll(/- record: (\S+)/g)].map(([, name]) => name));
    const sources = [rules.replaceAll(/^ *(?:#|(?:summary|description|runbook):).*$/gm, ''), ...expressions];
    const named = sources.flatMap(
      (text) => text.match(/[a-z_]+:[a-z_:0-9]+|\b(?:quittance|process|nodejs)_[a-z0-9_]+/g) ?? [],
    );
    const exposed = new Set(
      [...seen.types].flatMap(([name, type]) =>
        type === 'histogram' ? ['_bucket', '_sum', '_count'].map((suffix) => name + suffix) : [name],
      ),
    );
    const unknown = [...new Set(named)].filter((name) => !exposed.has(name) && !recorded.has(name));
    // Names of rule groups are not metrics.
    expect(unknown.filter((name) => name !== 'quittance_recorded')).toEqual([]);
    expect(new Set(named).size).toBeGreaterThan(40);
  });

  describeWithPromtool('according to Prometheus', () => {
    test('passes the lint of metric names and help texts', async () => {
      const own = seen.text
        .split('\n')
        .filter((line) => /^(?:# (?:HELP|TYPE) )?quittance_/.test(line))
        .join('\n');
      expect(await promtool(['check', 'metrics'], { input: `${own}\n` })).toEqual({ exitCode: 0, output: '' });
    });
  });
});

// Helpers

function withoutVariables(expr: string): string {
  return expr.replaceAll('$job', 'quittance').replaceAll('$__rate_interval', '1m');
}
