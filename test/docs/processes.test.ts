import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PARTITIONS } from '../../src/platform/bus/index.ts';
import { loadConfig, ROLES } from '../../src/platform/config/index.ts';
import { GIVE_UP_AT_MS, REQUESTS_MS, STOP_WITHIN_MS } from '../../src/service/stopping.ts';
import { SENDER_LIMITS } from '../../src/webhooks/index.ts';
import { describeWith } from '../support/run/components.ts';
import { findProgram } from '../support/run/find-program.ts';
import { codeBlocks, ROOT, readDocument, tableRows } from './markdown.ts';

const PROCESSES = readDocument('docs/operators/processes.md');
const MAX_DELAY_MS = 15_000;

describe('docs/operators/processes.md', () => {
  test('describes every role', () => {
    const rows = tableRows(PROCESSES, ['Role', 'Does', 'Also needs', 'With several processes']);
    expect(rows.map(([role]) => role?.replaceAll('`', ''))).toEqual([...ROLES]);
  });

  test('states the timeout of each part of a stop as in the code', () => {
    const rows = tableRows(PROCESSES, ['Part', 'Abandoned after', 'Time allowed']);
    const last = Math.max(...Object.values(GIVE_UP_AT_MS));
    const { start, watchers, workers, requests } = GIVE_UP_AT_MS;
    expect(rows.map(([, at]) => at)).toEqual([start, watchers, workers, requests, last].map((ms) => `${ms / 1_000} s`));
  });

  test('has timeouts that add up: the parts run in sequence and end before the process is killed', () => {
    const { start, watchers, workers, requests, engine, relay, bus, timers, database, tracing, monitor } =
      GIVE_UP_AT_MS;
    const last = [engine, relay, bus, timers, database, tracing, monitor, STOP_WITHIN_MS];
    const inOrder = [start, watchers, workers, requests, ...last];
    expect(inOrder).toEqual([...inOrder].sort((one, other) => one - other));
    // A webhook that starts when the watchers are given up still gets its ten seconds.
    expect(workers - watchers).toBeGreaterThanOrEqual(SENDER_LIMITS.closeGraceMs);
    expect(() => loadConfig({ DRAIN_DELAY_SECONDS: String(MAX_DELAY_MS / 1_000 + 1) })).toThrow('0 to 15');
    expect(requests - MAX_DELAY_MS).toBe(3_000);
    expect(REQUESTS_MS).toBe(5_000);
  });

  test('restarts the processes that docs/operators/deploying.md sets up, on the same ports', () => {
    const deploying = readDocument('docs/operators/deploying.md');
    const [restart = ''] = codeBlocks(PROCESSES, 'sh').filter((block) => block.includes('deploy/systemd/restart.sh'));
    const files = [...deploying.matchAll(/^printf .*\bMONITOR_PORT=(\d+) > (\S+)\.env$/gm)];
    const setUp = files.map(([, port, name]) => `quittance@${name}:${port}`);
    expect(restart.match(/quittance@[\w-]+:\d+/g)).toEqual(setUp);
    expect(new Set(setUp.map((each) => each.split(':')[1])).size).toBe(2 * ROLES.length);
    const enabled = /^systemctl enable --now (quittance@.*)$/m.exec(deploying)?.[1]?.split(' ');
    expect(enabled).toEqual(setUp.map((each) => each.split(':')[0]));
    for (const [line, , name] of files) {
      const role = /ROLES=(\w+)/.exec(line)?.[1] ?? name;
      expect(ROLES).toContain(role);
    }
  });

  test('multiplies by the number of partitions', () => {
    const rows = tableRows(PROCESSES, ['Queue', 'per partition', '× 16 partitions']);
    for (const [queue, each, all = ''] of rows) {
      expect(Number(all.replaceAll(/\D/g, '')), queue).toBe(Number(each) * PARTITIONS);
    }
    expect(rows.length).toBeGreaterThan(3);
  });
});

describeWith('haproxy')('deploy/haproxy/haproxy.cfg', () => {
  test('is accepted by HAProxy, without any variable set', () => {
    const binary = findProgram('haproxy') ?? 'haproxy';
    const { status, stderr } = spawnSync(binary, ['-c', '-f', join(ROOT, 'deploy/haproxy/haproxy.cfg')], {
      encoding: 'utf8',
    });
    expect(status, stderr).toBe(0);
  });
});
