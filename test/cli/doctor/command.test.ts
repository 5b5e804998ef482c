import { readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { runToEnd } from '../../e2e/run-to-end.ts';
import { newFolder } from './installation.ts';

/** `quittance doctor` in an empty folder with these settings and no others. */
async function doctor(args: readonly string[], env: Readonly<Record<string, string>>) {
  const cwd = await newFolder();
  const ended = await runToEnd(['doctor', ...args], { cwd, env });
  // It must not change anything, including this folder.
  expect(await readdir(cwd)).toEqual([]);
  return ended;
}

test('an installation without problems is reported as ok, with suggestions', async () => {
  const { code, stdout, stderr } = await doctor([], { PORT: '0' });
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^ok +settings +every setting is valid$/m);
  expect(stdout).toMatch(/^warning +PUBLIC_URL +not set.*\n +→ Set PUBLIC_URL/m);
  expect(stdout).toMatch(/^0 problems, 2 warnings, \d+ ok\.$/m);
});

test('problems set the exit code, with --json as well, and no secret is printed', async () => {
  const env = {
    PORT: '0',
    DATABASE_URL: 'postgres://pay:hidden-one@127.0.0.1:1/pay',
    NATS_URL: 'nats://pay:hidden-two@127.0.0.1:1',
    LTC_NETWORK: 'regtest',
    LTC_RPC_URL: 'http://pay:hidden-three@127.0.0.1:1',
    RATES_SOURCES: 'none',
    SMTP_URL: 'smtp://pay:hidden-four@127.0.0.1:1',
    MAIL_FROM: 'pay@shop.example',
    TRACES_URL: 'http://pay:hidden-five@127.0.0.1:4/v1/traces',
    SECRETS_KEY: 'ab'.repeat(32),
  };
  const { code, stdout, stderr } = await doctor(['--json'], env);
  expect(code).toBe(1);
  expect(stdout + stderr).not.toMatch(/hidden|abab/);
  const report = JSON.parse(stdout) as {
    healthy: boolean;
    problems: number;
    findings: { check: string; level: string; remedy: string | null }[];
  };
  const broken = report.findings.filter(({ level }) => level === 'problem');
  expect(report).toMatchObject({ healthy: false, problems: broken.length });
  expect(new Set(broken.map(({ check }) => check))).toEqual(
    new Set(['database', 'NATS', 'coin nodes', 'rates', 'mail', 'traces']),
  );
  expect(broken.filter(({ remedy }) => remedy === null)).toEqual([]);
});

test('all invalid settings are reported before any check', async () => {
  const { code, stdout } = await doctor([], { PORT: 'eighty', TRACES_SAMPLE: 'all', LTC_NETWORK: 'regtest' });
  expect(code).toBe(1);
  expect(stdout).toMatch(/^problem +settings +PORT: "eighty" must be/m);
  expect(stdout).toMatch(/^problem +settings +TRACES_SAMPLE: "all" must be/m);
  expect(stdout).toMatch(/^problem +settings +LTC_RPC_URL: is not set/m);
  expect(stdout).toMatch(/^3 problems, 0 warnings, 0 ok\.$/m);
});
