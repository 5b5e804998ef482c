import { describe, expect, test } from 'vitest';
import { createWatchLoop, type Watcher } from '../../src/chains/index.ts';
import { RetryableError } from '../../src/platform/errors.ts';

/** A watcher whose polls follow the script; after its end they succeed. */
function scripted(polls: readonly (() => Promise<void>)[]) {
  let count = 0;
  let running = 0;
  let overlapped = false;
  const watcher: Watcher = {
    network: 'fake-regtest',
    verify: async () => {},
    rescan: async () => ({ blocks: 0, outputs: 0 }),
    search: async () => ({ height: null, outputs: 0 }),
    status: () => ({
      network: 'fake-regtest',
      cursorHeight: count,
      tipHeight: 9,
      syncedUntil: null,
      lastError: null,
      warnings: [],
    }),
    async step() {
      running += 1;
      overlapped ||= running > 1;
      const poll = polls[count];
      count += 1;
      try {
        await poll?.();
      } finally {
        running -= 1;
      }
    },
  };
  return { watcher, count: () => count, overlapped: () => overlapped };
}

function recordingLog() {
  const lines: string[] = [];
  const write = (level: string) => (fields: { readonly failures?: number }, message: string) =>
    void lines.push(`${level}: ${message}${fields.failures === undefined ? '' : ` after ${fields.failures} failures`}`);
  return { lines, info: write('info'), warn: write('warn'), error: write('error') };
}

function failing(code: string): () => Promise<void> {
  return async () => {
    throw new RetryableError(code, `${code} happened`, { retryAfterMs: 1 });
  };
}

test('polls repeatedly, one poll at a time, until it is stopped', async () => {
  const fake = scripted([]);
  const loop = createWatchLoop({ watcher: fake.watcher, log: recordingLog(), pollMs: 1 });
  loop.start();
  loop.start();
  await expect.poll(fake.count).toBeGreaterThan(5);
  await loop.stop();
  const polls = fake.count();
  await new Promise((resolve) => setImmediate(resolve));
  expect(fake.count()).toBe(polls);
  expect(fake.overlapped()).toBe(false);
});

test('a stop waits for the poll in progress', async () => {
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

test('an outage is logged when it starts, when its reason changes, and when it ends', async () => {
  const down = failing('NODE_UNREACHABLE');
  const fake = scripted([down, down, down, failing('NODE_WARMING_UP'), failing('NODE_WARMING_UP')]);
  const log = recordingLog();
  const loop = createWatchLoop({ watcher: fake.watcher, log, pollMs: 1, maxBackoffMs: 3 });
  loop.start();
  await expect.poll(fake.count).toBeGreaterThan(8);
  await loop.stop();
  expect(log.lines).toEqual([
    'error: polling failed',
    'error: polling failed',
    'info: polling succeeded again after 5 failures',
  ]);
});

test('failures are counted anew in each outage', async () => {
  const down = failing('NODE_UNREACHABLE');
  const fake = scripted([down, down, async () => {}, down]);
  const log = recordingLog();
  const loop = createWatchLoop({ watcher: fake.watcher, log, pollMs: 1, maxBackoffMs: 2 });
  loop.start();
  await expect.poll(fake.count).toBeGreaterThan(5);
  await loop.stop();
  expect(log.lines.filter((line) => line.startsWith('info'))).toEqual([
    'info: polling succeeded again after 2 failures',
    'info: polling succeeded again after 1 failures',
  ]);
});

test('a stopped loop can be started again', async () => {
  const fake = scripted([]);
  const loop = createWatchLoop({ watcher: fake.watcher, log: recordingLog(), pollMs: 1 });
  loop.start();
  await expect.poll(fake.count).toBeGreaterThan(0);
  await loop.stop();
  const polls = fake.count();
  loop.start();
  await expect.poll(fake.count).toBeGreaterThan(polls);
  await loop.stop();
});

describe('a wake-up', () => {
  const NEVER_MS = 2_000_000;
  const PATIENT = { timeout: 20_000 };

  function quietLoop(polls: readonly (() => Promise<void>)[] = [], options: { readonly wakeFloorMs?: number } = {}) {
    const fake = scripted(polls);
    const log = recordingLog();
    const loop = createWatchLoop({ watcher: fake.watcher, log, pollMs: NEVER_MS, maxBackoffMs: NEVER_MS, ...options });
    return { fake, log, loop };
  }

  test('ends the pause between two polls', async () => {
    const { fake, loop } = quietLoop();
    loop.start();
    await expect.poll(fake.count, PATIENT).toBe(1);
    loop.wake();
    await expect.poll(fake.count, PATIENT).toBe(2);
    loop.wake();
    await expect.poll(fake.count, PATIENT).toBe(3);
    await loop.stop();
  });

  test('during a poll triggers one more poll, however often it is requested, and never two at once', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { fake, loop } = quietLoop([() => held]);
    loop.start();
    for (let requested = 0; requested < 50; requested += 1) loop.wake();
    expect(fake.count()).toBe(1);
    release();
    await expect.poll(fake.count, PATIENT).toBe(2);
    await settle();
    expect(fake.count()).toBe(2);
    expect(fake.overlapped()).toBe(false);
    await loop.stop();
  });

  test('does not shorten the pause of a failing loop below its floor', async () => {
    const always = Array.from({ length: 100 }, () => failing('NODE_UNREACHABLE'));
    const { fake, loop } = quietLoop(always, { wakeFloorMs: NEVER_MS });
    loop.start();
    await expect.poll(fake.count, PATIENT).toBe(1);
    loop.wake();
    await settle();
    expect(fake.count()).toBe(1);
    await loop.stop();
  });

  test('shortens the pause after a failure to its floor', async () => {
    const { fake, log, loop } = quietLoop([failing('NODE_UNREACHABLE')], { wakeFloorMs: 1 });
    loop.start();
    await expect.poll(fake.count, PATIENT).toBe(1);
    loop.wake();
    await expect.poll(fake.count, PATIENT).toBe(2);
    await loop.stop();
    expect(log.lines).toEqual(['error: polling failed', 'info: polling succeeded again after 1 failures']);
  });

  test('does nothing before the start and after the stop', async () => {
    const { fake, loop } = quietLoop();
    loop.wake();
    await settle();
    expect(fake.count()).toBe(0);
    loop.start();
    await expect.poll(fake.count, PATIENT).toBe(1);
    await loop.stop();
    loop.wake();
    await settle();
    expect(fake.count()).toBe(1);
  });
});

/** Runs everything that is due now. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
