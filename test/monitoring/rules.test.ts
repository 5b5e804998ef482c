import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { promtool } from '../support/outside/promtool.ts';
import { describeWith } from '../support/run/components.ts';
import { type AlertScenario, HEALTHY, LAST_MINUTE, SCENARIOS } from './alert-scenarios.ts';

const RULES = resolve('deploy/prometheus/quittance.rules.yml');

const describeWithPromtool = describeWith('promtool');

describeWithPromtool('the Prometheus rules', () => {
  let folder: string;
  let rules: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quittance-rules-'));
    rules = await readFile(RULES, 'utf8');
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('are valid, and so is the example configuration that loads them', async () => {
    expect(await promtool(['check', 'rules', RULES])).toMatchObject({ exitCode: 0 });
    expect(await promtool(['check', 'config', resolve('deploy/prometheus/prometheus.yml')])).toMatchObject({
      exitCode: 0,
    });
  });

  test('fire exactly the expected alerts in every scenario', async () => {
    const file = join(folder, 'scenarios.yml');
    await writeFile(file, JSON.stringify(asTests(SCENARIOS)));
    const { exitCode, output } = await promtool(['test', 'rules', file]);
    expect(output).toContain('SUCCESS');
    expect(exitCode).toBe(0);
  }, 180_000);

  test('are tested by scenarios that can fail', async () => {
    const file = join(folder, 'wrong.yml');
    const wrong = { what: 'nothing is amiss', series: {}, firing: ['QuittanceBusDown'] };
    await writeFile(file, JSON.stringify(asTests([wrong])));
    expect(await promtool(['test', 'rules', file])).toMatchObject({ exitCode: 1 });
  });

  test('each have a scenario in which they fire, a severity, a description, and a runbook section', async () => {
    const names = [...rules.matchAll(/- alert: (\S+)/g)].map(([, name = '']) => name);
    expect(names.length).toBeGreaterThan(20);
    expect(names.toSorted()).toEqual([...new Set(SCENARIOS.flatMap(({ firing }) => firing))].toSorted());
    const guide = await readFile('docs/operators/prometheus-alerts.md', 'utf8');
    for (const [index, part] of rules.split('- alert: ').slice(1).entries()) {
      const name = names[index] ?? '';
      expect(part).toMatch(/severity: (?:critical|warning) /);
      expect(part).toMatch(/summary: '.{10,}'/);
      expect(part).toMatch(/description: >-\n {12}\S.{20,}/);
      expect(part).toContain(`runbook: docs/operators/prometheus-alerts.md#${name.toLowerCase()}\n`);
      expect(guide).toContain(`\n## ${name}\n`);
    }
  });
});

// Helpers

/**
 * Input of `promtool test rules`; JSON is valid YAML. All firing alerts of a scenario are compared,
 * so no other may fire.
 */
function asTests(scenarios: readonly AlertScenario[]) {
  return {
    rule_files: [RULES],
    evaluation_interval: '1m',
    tests: scenarios.map(({ what, series, firing, atMinute = LAST_MINUTE }) => ({
      name: what,
      interval: '1m',
      input_series: Object.entries({ ...HEALTHY, ...series })
        .filter(([, values]) => values !== null)
        .map(([name, values]) => ({ series: name, values })),
      promql_expr_test: [
        {
          expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
          eval_time: `${atMinute}m`,
          exp_samples: firing.map((name) => ({ labels: `{alertname="${name}"}`, value: 1 })),
        },
      ],
    })),
  };
}
