import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const SCRIPT = resolve(import.meta.dirname, '../../deploy/systemd/restart.sh');
const UNITS = ['quittance@api', 'quittance@api-2', 'quittance@worker'] as const;
type Unit = (typeof UNITS)[number];

let folder: string;
let servers: Server[] = [];
/** The status of each process before and after its restart. */
let statusOf: (unit: Unit, wasRestarted: boolean) => number;
/** The balancer's server count after `restarts` restarts. */
let serversAfter: (restarts: number) => number;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quittance-restart-'));
  writeFileSync(join(folder, 'restarted'), '');
  systemctlThat('true');
  statusOf = () => 200;
  serversAfter = () => 2;
});
afterEach(async () => {
  await Promise.all(servers.map((server) => new Promise((done) => server.close(done).closeAllConnections())));
  servers = [];
  rmSync(folder, { recursive: true });
});

describe('deploy/systemd/restart.sh', () => {
  test('restarts each unit once, in the given order', async () => {
    expect(await restart()).toMatchObject({ code: 0, stderr: '' });
    expect(restarted()).toEqual(UNITS);
  });

  test('continues only when the process is ready and the load balancer uses it again', async () => {
    let requested = 0;
    // Not ready at the first check, like a process that is still starting.
    statusOf = (unit, wasRestarted) => {
      if (unit !== 'quittance@api' || !wasRestarted) return 200;
      requested += 1;
      expect(restarted()).toEqual(['quittance@api']);
      return requested === 1 ? 503 : 200;
    };
    let sent = 0;
    serversAfter = (restarts) => {
      if (restarts !== 1) return 2;
      sent += 1;
      expect(restarted()).toEqual(['quittance@api']);
      return sent === 1 ? 1 : 2;
    };
    expect(await restart({ WITHIN: '30' })).toMatchObject({ code: 0, stderr: '' });
    expect(Math.min(requested, sent)).toBeGreaterThanOrEqual(2);
    expect(restarted()).toEqual(UNITS);
  });

  test('stops at the first unit that systemd cannot restart', async () => {
    systemctlThat('[ "$2" != quittance@api-2 ]');
    expect(await restart()).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('quittance@api-2 was not restarted'),
    });
    expect(restarted()).toEqual(UNITS.slice(0, 2));
  });

  test('stops at the first process that does not become ready', async () => {
    statusOf = (unit, wasRestarted) => (unit === 'quittance@api' && wasRestarted ? 503 : 200);
    expect(await restart()).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('quittance@api is not ready after'),
    });
    expect(restarted()).toEqual(UNITS.slice(0, 1));
  });

  test('stops when the load balancer does not take a server back', async () => {
    serversAfter = (restarts) => (restarts === 0 ? 2 : 1);
    expect(await restart()).toMatchObject({ code: 1, stderr: expect.stringContaining('does not use 2 servers again') });
    expect(restarted()).toEqual(UNITS.slice(0, 1));
  });

  test('restarts nothing while a process or a server is already down', async () => {
    statusOf = (unit) => (unit === 'quittance@worker' ? 503 : 200);
    expect(await restart()).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('quittance@worker is not ready'),
    });
    statusOf = () => 200;
    serversAfter = () => 1;
    expect(await restart()).toMatchObject({ code: 1, stderr: expect.stringContaining('does not use 2 servers') });
    expect(restarted()).toEqual([]);
  });

  test('skips the load balancer when there is none', async () => {
    serversAfter = () => 0;
    expect(await restart({ SERVERS: '' })).toMatchObject({ code: 0, stderr: '' });
    expect(restarted()).toEqual(UNITS);
  });

  test('prints its usage when no unit is given', async () => {
    expect(await run([], {})).toMatchObject({ code: 1, stderr: expect.stringContaining('quittance@api:9464') });
  });
});

// Helpers

/** Replaces `systemctl`: records its argument, then runs `command`. */
function systemctlThat(command: string): void {
  const path = join(folder, 'systemctl');
  writeFileSync(path, `#!/bin/sh\n[ "$1" = restart ] && echo "$2" >>"${folder}/restarted"\n${command}\n`);
  chmodSync(path, 0o755);
}

function restarted(): string[] {
  return readFileSync(join(folder, 'restarted'), 'utf8').split('\n').filter(Boolean);
}

async function restart(env: Readonly<Record<string, string>> = {}) {
  const names = await Promise.all(
    UNITS.map(async (unit) => {
      const port = await serve('/ready', () => [statusOf(unit, restarted().includes(unit)), '']);
      return `${unit}:${port}`;
    }),
  );
  const status = await serve('/', () => [200, String(serversAfter(restarted().length))]);
  return run(names, { SERVERS: '2', STATUS_URL: `http://127.0.0.1:${status}/`, WITHIN: '1', ...env });
}

async function serve(path: string, answer: () => readonly [number, string]): Promise<number> {
  const server = createServer((request, response) => {
    const [status, body] = request.url === path ? answer() : ([404, ''] as const);
    response.writeHead(status, { connection: 'close' }).end(body);
  });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function run(units: readonly string[], env: Readonly<Record<string, string>>) {
  const child = spawn('sh', [SCRIPT, ...units], { env: { PATH: `${folder}:${process.env.PATH}`, ...env } });
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += String(chunk);
  });
  child.stdout.resume();
  await once(child, 'close');
  return { code: child.exitCode, stderr };
}
