import { expect, test } from 'vitest';
import { createWatchLoop, type Watcher } from '../../src/chains/index.ts';
import { RetryableError } from '../../src/errors.ts';

/** A watcher whose looks do what the script says; beyond its end they succeed. */
function scripted(looks: readonly (() => Promise<void>)[]) {
  let count = 0;
  let running = 0;
  let overlapped = false;
  const watcher: Watcher = {
    network: 'fake-regtest',
    verify: async () => {},
    rescan: async () => ({ blocks: 0, outputs: 0 }),
    status: () => ({
      network: 'fake-regtest',
      cursorHeight: count,
      tipHeight: 9,
      lookedUntil: null,
      lastError: null,
      warnings: [],
    }),
    async step() {
      running += 1;
      overlapped ||= running > 1;
      const look = looks[count];
      count += 1;
      try {
        await look?.();
      } finally {
        running -= 1;
      }
    },
  };
  return { watcher, count: () => count, overlapped: () => overlapped };
}

function recordingLog() {
  const lines: string[] = [];
  const write = (level: string) => (_fields: object, message: string) => void lines.push(`${level}: ${message}`);
  return { lines, info: write('info'), warn: write('warn'), error: write('error') };
}

function failing(code: string): () => Promise<void> {
  return async () => {
    throw new RetryableError(code, `${code} happened`, { retryAfterMs: 1 });
  };
}

test('looks again and again, one look at a time, until it is stopped', async () => {
  const fake = scripted([]);
  const loop = createWatchLoop({ watcher: fake.watcher, log: recordingLog(), pollMs: 1 });
  loop.start();
  loop.start();
  expect(loop.status().running).toBe(true);
  await expect.poll(fake.count).toBeGreaterThan(5);
  await loop.stop();
  const looks = fake.count();
  expect(loop.status()).toMatchObject({ running: false, network: 'fake-regtest', tipHeight: 9 });
  await new Promise((resolve) => setImmediate(resolve));
  expect(fake.count()).toBe(looks);
  expect(fake.overlapped()).toBe(false);
});

test('a stop waits for the look in progress', async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const fake = scripted([() => held]);
  const loop = createWatchLoop({ watcher: fake.watcher, log: recordingLog(), pollMs: 1 });
  loop.start();
  let stopped = false;
  const stopping = loop.stop().then(() => {
    stopped = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(stopped).toBe(false);
  release();
  await stopping;
  expect(fake.count()).toBe(1);
});

test('an outage is logged when it begins, when its reason changes, and when it ends', async () => {
  const down = failing('NODE_UNREACHABLE');
  const fake = scripted([down, down, down, failing('NODE_WARMING_UP'), failing('NODE_WARMING_UP')]);
  const log = recordingLog();
  const loop = createWatchLoop({ watcher: fake.watcher, log, pollMs: 1, maxBackoffMs: 3 });
  loop.start();
  await expect.poll(fake.count).toBeGreaterThan(8);
  await loop.stop();
  expect(log.lines).toEqual([
    'error: the watcher cannot look at its network',
    'error: the watcher cannot look at its network',
    'info: the watcher looks again',
  ]);
  expect(loop.status().failures).toBe(0);
});

test('failures are counted while they last', async () => {
  const fake = scripted(Array.from({ length: 1000 }, () => failing('NODE_UNREACHABLE')));
  const loop = createWatchLoop({ watcher: fake.watcher, log: recordingLog(), pollMs: 1, maxBackoffMs: 2 });
  loop.start();
  await expect.poll(() => loop.status().failures).toBeGreaterThan(2);
  await loop.stop();
});

test('a stopped loop can be started again', async () => {
  const fake = scripted([]);
  const loop = createWatchLoop({ watcher: fake.watcher, log: recordingLog(), pollMs: 1 });
  loop.start();
  await expect.poll(fake.count).toBeGreaterThan(0);
  await loop.stop();
  const looks = fake.count();
  loop.start();
  await expect.poll(fake.count).toBeGreaterThan(looks);
  await loop.stop();
});
