import type { Subscriber } from 'zeromq';
import { messageOf } from '../../platform/errors.ts';
import type { EventLog } from '../../platform/log.ts';

export interface ZmqHintDeps {
  /** The node's `-zmqpubhashblock` and `-zmqpubrawtx` endpoint, such as `tcp://127.0.0.1:28332`. */
  readonly url: string;
  /** Called shortly after the node published something, once per burst of messages. */
  readonly onHint: () => void;
  readonly log: EventLog;
  /** Loads the optional dependency; for tests. */
  readonly loadZeromq?: () => Promise<typeof import('zeromq')>;
}

export interface ZmqHint {
  /** Resolves when the connection is closed; `onHint` is not called afterwards. */
  close(): Promise<void>;
}

/** Messages within this time are coalesced into one hint: a block brings thousands. */
const COALESCE_MS = 100;
/**
 * Transactions of others arrive all the time: their hints do not make polls more frequent than
 * they are without hints. A block is hinted at immediately.
 */
const TRANSACTION_INTERVAL_MS = 1_000;
/** First interval between reconnection attempts. */
const RECONNECT_MS = 1_000;
const RECONNECT_MAX_MS = 30_000;
/** High-water mark. Dropping further messages is harmless, because each only triggers a poll. */
const WAITING_MESSAGES = 100;
const BLOCK_TOPIC = 'hashblock';
/** Also matches Dash's `rawtxlock`, because a subscription is a prefix. */
const TRANSACTION_TOPIC = 'rawtx';

/**
 * Calls `onHint` on ZeroMQ notifications of a bitcoind-like node. They are hints only: the payload
 * is never read, because messages are unauthenticated and may be lost; polling finds everything.
 * Without the `zeromq` package, or with an unusable URL, it logs one warning and never calls
 * `onHint`.
 */
export function createZmqHint(deps: ZmqHintDeps): ZmqHint {
  const { url, onHint, log } = deps;
  const loadZeromq = deps.loadZeromq ?? (() => import('zeromq'));
  let subscriber: Subscriber | null = null;
  let pending: NodeJS.Timeout | null = null;
  let pendingAt = 0;
  let hintedAt = -TRANSACTION_INTERVAL_MS;
  let closing = false;

  function hintAt(dueAt: number): void {
    if (pending !== null && pendingAt <= dueAt) return;
    if (pending !== null) clearTimeout(pending);
    pendingAt = dueAt;
    pending = setTimeout(() => {
      pending = null;
      hintedAt = performance.now();
      if (!closing) onHint();
    }, dueAt - performance.now());
  }

  function receive(topic: string): void {
    const soon = performance.now() + COALESCE_MS;
    hintAt(topic === BLOCK_TOPIC ? soon : Math.max(soon, hintedAt + TRANSACTION_INTERVAL_MS));
  }

  async function open(): Promise<Subscriber | null> {
    const zeromq = await loadZeromq().catch(() => null);
    if (zeromq === null) {
      log.warn(
        {},
        'the package zeromq is not installed: the watcher gets no notifications and only polls. ' +
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
      socket.subscribe(BLOCK_TOPIC, TRANSACTION_TOPIC);
      return socket;
    } catch (error) {
      socket.close();
      log.warn(
        { reason: messageOf(error) },
        'the ZMQ URL is invalid: the watcher only polls. It must have a form such as tcp://127.0.0.1:28332',
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
    for await (const [topic] of socket) receive(String(topic));
  }

  const finished = listen().catch((error: unknown) => {
    log.warn({ reason: messageOf(error) }, 'the ZMQ connection failed: the watcher only polls');
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
