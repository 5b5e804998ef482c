import { expect, test } from 'vitest';
import { findFreePort } from '../support/free-port.ts';
import { type Component, describeAbsent } from '../support/run/components.ts';
import { readLevel, runsAt } from '../support/run/level.ts';
import { provideServers } from '../support/run/provide-servers.ts';
import { describeFull } from '../support/run/skip.ts';
import { hasJetStream } from '../support/service/nats.ts';

test('TESTS names the level; any other value is rejected', () => {
  expect([readLevel({}), readLevel({ TESTS: 'full' })]).toEqual(['quick', 'full']);
  expect(() => readLevel({ TESTS: 'fast' })).toThrow('TESTS must be quick or full, got "fast"');
});

test('the quick level runs a tenth of the examples, and never fewer than 25 of them', () => {
  expect([10, 25, 100, 300, 2_000].map((full) => runsAt('quick', full))).toEqual([10, 25, 25, 30, 200]);
  expect([10, 2_000].map((full) => runsAt('full', full))).toEqual([10, 2_000]);
});

test('missing components are listed with the skipped suites and the command that installs them', () => {
  const absent: Component[] = [
    { missing: 'foo is not installed', skips: 'all about foo', debianPackage: 'foo', isThere: () => false },
    { missing: 'no bar', skips: 'bars', debianPackage: null, isThere: () => false },
  ];
  expect(describeAbsent(absent)).toBe(
    [
      'Missing on this machine, and skipped for it:',
      '  foo is not installed  all about foo',
      '  no bar                bars',
      'Install all of it: npm run setup:tests',
    ].join('\n'),
  );
  expect(describeAbsent([])).toBeNull();
});

describeFull('without a server at its usual port', () => {
  test('a run starts its own, and stops them', async () => {
    const env: NodeJS.ProcessEnv = {};
    const postgresUrl = `postgres://postgres@127.0.0.1:${await findFreePort()}/postgres`;
    const stop = await provideServers(env, { postgresUrl, natsPort: await findFreePort() });
    const natsPort = Number(new URL(env.TEST_NATS_URL ?? '').port);
    expect(env.TEST_POSTGRES_URL).toMatch(/^postgres:/);
    expect(await hasJetStream(natsPort)).toBe(true);
    await stop();
    expect(await hasJetStream(natsPort)).toBe(false);
  });
});
