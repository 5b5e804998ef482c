import type { Subscriber } from 'zeromq';
import { messageOf } from '../../errors.ts';
import type { WatcherLog } from '../log.ts';

export interface ZmqHintDeps {
  /** Where the node publishes, as its `-zmqpubhashblock` and `-zmqpubrawtx` say: `tcp://127.0.0.1:28332`. */
  readonly url: string;
  /** Called soon after the node published something, once for many messages that come together. */
  readonly onHint: () => void;
  readonly log: WatcherLog;
  /** Loads the optional dependency; for tests. */
  readonly loadZeromq?: () => Promise<typeof import('zeromq')>;
}

export interface ZmqHint {
  /** Resolves when the connection is closed; `onHint` is not called afterwards. */
  close(): Promise<void>;
}

/** Messages that come within this time are one hint: a block brings thousands. */
const COALESCE_MS = 100;
/** A node that went away is looked for again at this pace. */
const RECONNECT_MS = 1_000;
const RECONNECT_MAX_MS = 30_000;
/** Messages waiting to be counted; more are dropped, which is harmless, because each only says "look". */
const WAITING_MESSAGES = 100;
/** `rawtx` also covers Dash's `rawtxlock`: a subscription is a prefix. */
const TOPICS = ['hashblock', 'rawtx'] as const;

/**
 * Says when a node of the bitcoind family has something new, by its ZeroMQ notifications. A hint and nothing more:
 * what the messages hold is not read, anybody could have sent them, and some get lost; polling finds everything.
 * Without the `zeromq` package, or with an unusable URL, one line is logged and no hint ever comes.
 */
export function createZmqHint(deps: ZmqHintDeps): ZmqHint {
  const { url, onHint, log } = deps;
  const loadZeromq = deps.loadZeromq ?? (() => import('zeromq'));
  let subscriber: Subscriber | null = null;
  let pending: NodeJS.Timeout | null = null;
  let closing = false;

  function hint(): void {
    pending ??= setTimeout(() => {
      pending = null;
      if (!closing) onHint();
    }, COALESCE_MS);
  }

  async function open(): Promise<Subscriber | null> {
    const zeromq = await loadZeromq().catch(() => null);
    if (zeromq === null) {
      log.warn(
        {},
        'the package zeromq is not installed: the node cannot wake the watcher, which finds everything by polling. ' +
          'Install it with "npm install zeromq", or remove the ZMQ URL',
      );
      return null;
    }
    const socket = new zeromq.Subscriber({
      linger: 0,
      receiveHighWaterMark: WAITING_MESSAGES,
      reconnectInterval: RECONNECT_MS,
      reconnectMaxInterval: RECONNECT_MAX_MS,
    });
    try {
      socket.connect(url);
      socket.subscribe(...TOPICS);
      return socket;
    } catch (error) {
      socket.close();
      log.warn(
        { error: messageOf(error) },
        'the ZMQ URL cannot be used: the watcher finds everything by polling. It must look like tcp://127.0.0.1:28332',
      );
      return null;
    }
  }

  async function listen(): Promise<void> {
    const socket = await open();
    if (socket === null) return;
    subscriber = socket;
    if (closing) socket.close();
    // Ends when the socket is closed.
    for await (const _message of socket) hint();
  }

  const finished = listen().catch((error: unknown) => {
    log.warn({ error: messageOf(error) }, 'the ZMQ connection failed: the watcher finds everything by polling');
  });

  return {
    async close() {
      closing = true;
      subscriber?.close();
      await finished;
      if (pending !== null) clearTimeout(pending);
      pending = null;
    },
  };
}
