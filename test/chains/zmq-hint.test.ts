import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Publisher, XPublisher } from 'zeromq';
import { createZmqHint, type ZmqHint, type ZmqHintDeps } from '../../src/chains/hints/zmq-hint.ts';

/** `hashblock` as a node sends it: topic, hash and counter. */
const BLOCK = ['hashblock', Buffer.alloc(32, 7), Buffer.from([1, 0, 0, 0])];
const TRANSACTION = ['rawtx', Buffer.alloc(250), Buffer.from([1, 0, 0, 0])];

/** Longer than the delay before a reconnect. */
const PATIENT = { timeout: 20_000 };

let publisher: Publisher;
let url: string;
let hints: number;
let opened: ZmqHint[];
let lines: string[];
const write = (level: string) => (_fields: object, message: string) => void lines.push(`${level}: ${message}`);

beforeEach(async () => {
  publisher = new Publisher({ linger: 0 });
  await publisher.bind('tcp://127.0.0.1:*');
  url = publisher.lastEndpoint ?? '';
  hints = 0;
  opened = [];
  lines = [];
});

afterEach(async () => {
  await Promise.all(opened.map((hint) => hint.close()));
  publisher.close();
});

function listen(
  options: { readonly url?: string; readonly loadZeromq?: NonNullable<ZmqHintDeps['loadZeromq']> } = {},
): ZmqHint {
  const hint = createZmqHint({
    url,
    onHint: () => {
      hints += 1;
    },
    log: { info: write('info'), warn: write('warn'), error: write('error') },
    ...options,
  });
  opened.push(hint);
  return hint;
}

/** Publishes at the same address once it is free. */
async function startAgain(): Promise<void> {
  publisher = new Publisher({ linger: 0 });
  const isBound = () =>
    publisher.bind(url).then(
      () => true,
      () => false,
    );
  await expect.poll(isBound, PATIENT).toBe(true);
}

/** A subscription takes a moment to reach the publisher; earlier messages are lost. */
async function sendUntilHinted(message: (string | Buffer)[]): Promise<void> {
  const before = hints;
  await expect
    .poll(async () => {
      await publisher.send(message);
      return hints;
    }, PATIENT)
    .toBeGreaterThan(before);
}

describe('a ZMQ hint', () => {
  test('is emitted when the node publishes a block', async () => {
    listen();
    await sendUntilHinted(BLOCK);
    expect(hints).toBeGreaterThan(0);
    expect(lines).toEqual([]);
  });

  test('is emitted when the node publishes a transaction, also a locked one', async () => {
    listen();
    await sendUntilHinted(TRANSACTION);
    const before = hints;
    await sendUntilHinted(['rawtxlock', Buffer.alloc(9)]);
    expect(hints).toBeGreaterThan(before);
    expect(lines).toEqual([]);
  });

  test('subscribes to blocks and transactions, and to nothing else', async () => {
    const node = new XPublisher({ linger: 0 });
    await node.bind('tcp://127.0.0.1:*');
    const hint = listen({ url: node.lastEndpoint ?? '' });
    const requested = [await node.receive(), await node.receive()].map(([subscription]) => String(subscription));
    expect(requested.sort()).toEqual(['\u0001hashblock', '\u0001rawtx']);
    await hint.close();
    node.close();
  });

  test('is emitted once for many messages that arrive together', async () => {
    listen();
    await sendUntilHinted(BLOCK);
    const received = hints;
    await Promise.all(Array.from({ length: 500 }, () => publisher.send(TRANSACTION)));
    await expect.poll(() => hints, PATIENT).toBeGreaterThan(received);
    expect(hints - received).toBeLessThan(50);
  });

  test('is emitted again when the node is back after an outage', async () => {
    listen();
    await sendUntilHinted(BLOCK);
    publisher.close();
    await startAgain();
    const before = hints;
    await sendUntilHinted(BLOCK);
    expect(hints).toBeGreaterThan(before);
    expect(lines).toEqual([]);
  });

  test('is not emitted after it was closed', async () => {
    let late = 0;
    const closed = createZmqHint({
      url,
      onHint: () => {
        late += 1;
      },
      log: { info: write('info'), warn: write('warn'), error: write('error') },
    });
    listen();
    await expect.poll(() => publisher.send(BLOCK).then(() => late), PATIENT).toBeGreaterThan(0);
    await publisher.send(BLOCK);
    await closed.close();
    const atClose = late;
    await sendUntilHinted(BLOCK);
    expect(late).toBe(atClose);
  });

  test('is never emitted without the zeromq package, and one log line names the remedy', async () => {
    const hint = listen({ loadZeromq: () => Promise.reject(new Error('Cannot find package')) });
    await hint.close();
    expect(lines).toEqual([expect.stringMatching(/^warn: the package zeromq is not installed.*npm install zeromq/)]);
  });

  test.each(['not a url', 'http://user:secret@127.0.0.1:1', 'tcp://127.0.0.1'])(
    'is never emitted from "%s", and one log line shows a valid URL',
    async (wrong) => {
      const hint = listen({ url: wrong });
      await hint.close();
      expect(lines).toEqual([expect.stringMatching(/^warn: the ZMQ URL is invalid.*tcp:\/\/127\.0\.0\.1:28332/)]);
      expect(lines.join()).not.toContain('secret');
    },
  );

  test('waits silently for a node that is down', async () => {
    publisher.close();
    listen();
    await startAgain();
    await sendUntilHinted(BLOCK);
    expect(lines).toEqual([]);
  });
});

describe('hints with a clock of the test', () => {
  /** Topics that the socket has not passed on yet. */
  let topics: PassThrough;

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    topics = new PassThrough({ objectMode: true });
    const socket = { connect: () => {}, subscribe: () => {}, close: () => topics.end() };
    const Subscriber = function (this: object) {
      Object.assign(this, socket, {
        async *[Symbol.asyncIterator]() {
          for await (const topic of topics) yield [Buffer.from(topic)];
        },
      });
    };
    listen({ loadZeromq: async () => ({ Subscriber }) as unknown as typeof import('zeromq') });
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  /** Publishes and lets the time pass; returns the number of hints in it. */
  async function hintsWithin(durationMs: number, ...published: string[]): Promise<number> {
    const before = hints;
    for (const topic of published) topics.write(topic);
    await new Promise((resolve) => setImmediate(resolve));
    await vi.advanceTimersByTimeAsync(durationMs);
    return hints - before;
  }

  test('the first transaction is hinted at immediately, further ones once a second', async () => {
    expect(await hintsWithin(100, 'rawtx')).toBe(1);
    let more = 0;
    for (let tenth = 0; tenth < 50; tenth += 1) more += await hintsWithin(100, 'rawtx', 'rawtx');
    expect(more).toBe(5);
  });

  test('a block does not wait for the hint that a transaction has to wait for', async () => {
    await hintsWithin(100, 'rawtx');
    expect(await hintsWithin(200, 'rawtx')).toBe(0);
    expect(await hintsWithin(100, 'hashblock')).toBe(1);
    expect(await hintsWithin(5_000)).toBe(0);
  });
});
