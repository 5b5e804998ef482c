import type { JsMsg } from '@nats-io/jetstream';
import { messageOf } from '../../errors.ts';
import { settledWithin } from '../../within.ts';
import type { AttemptDeps, Outcome } from '../attempt.ts';
import { attempt, storeDeadLetter } from '../attempt.ts';
import { decodeData } from '../message.ts';
import type { BusHandler, Queue } from '../port.ts';
import { contextIn } from './context-headers.ts';
import type { FailureCounts } from './failure-counts.ts';

/** Runs the handler for the messages of a subscription and acknowledges them to the broker. */
export interface Receiver {
  receive(message: JsMsg, partition: number): void;
  /**
   * Resolves when no handler is running, or after `timeoutMs`; messages still being handled are
   * then returned with `nak`. No message may arrive after the call.
   */
  finish(timeoutMs?: number): Promise<void>;
}

export interface ReceiverDeps extends AttemptDeps {
  readonly queue: Queue;
  readonly handle: BusHandler;
  readonly failures: FailureCounts;
  readonly ackWaitMs: number;
}

/** In-progress acknowledgements (`working`) per `ack_wait` for each message being handled. */
const SIGNS_PER_ACK_WAIT = 4;

export function createReceiver(deps: ReceiverDeps): Receiver {
  /**
   * Running deliveries by consumer and stream sequence, with the latest delivery of their message.
   */
  const running = new Map<string, { newest: JsMsg; done: Promise<void> }>();

  // One timer for all messages: most handlers finish before it fires and cost nothing.
  const signs = setInterval(() => {
    for (const { newest } of running.values()) send(() => newest.working());
  }, deps.ackWaitMs / SIGNS_PER_ACK_WAIT);

  async function settle(key: string, first: JsMsg, partition: number): Promise<void> {
    const { id, outcome } = await processMessage(deps, first, partition);
    deps.failures.set(id, outcome.kind === 'retry' ? outcome.failures : 0);
    const newest = running.get(key)?.newest ?? first;
    // A message returned by `finish` is now with another process.
    if (!running.delete(key)) return;
    send(() => (outcome.kind === 'settled' ? newest.ack() : newest.nak(outcome.afterMs)));
  }

  /** A failed acknowledgement is not an error: the broker redelivers the message. */
  function send(reply: () => void): void {
    try {
      reply();
    } catch (error) {
      deps.log.warn(
        { queue: deps.queue, reason: messageOf(error) },
        'an outcome could not be sent; its message is redelivered',
      );
    }
  }

  return {
    receive(message, partition) {
      const key = `${message.info.consumer}.${message.seq}`;
      const known = running.get(key);
      if (known !== undefined) {
        // `ack_wait` expired while the handler still runs. It must not run twice concurrently.
        known.newest = message;
        return;
      }
      const entry = { newest: message, done: Promise.resolve() };
      running.set(key, entry);
      entry.done = settle(key, message, partition);
    },
    async finish(timeoutMs) {
      await settledWithin(
        [...running.values()].map(({ done }) => done),
        timeoutMs,
      );
      clearInterval(signs);
      for (const [key, { newest }] of running) {
        running.delete(key);
        send(() => newest.nak());
      }
    },
  };
}

async function processMessage(
  deps: ReceiverDeps,
  message: JsMsg,
  partition: number,
): Promise<{ id: string; outcome: Outcome }> {
  const { queue } = deps;
  const id = message.headers?.get('Nats-Msg-Id') || `${message.info.stream}-${message.seq}`;
  const text = message.string();
  let data: unknown;
  try {
    data = decodeData(text);
  } catch (error) {
    const foreign = { queue, partition, id, data: text };
    return { id, outcome: await storeDeadLetter(deps, foreign, `Its data is not JSON: ${messageOf(error)}`, 0) };
  }
  const trace = contextIn(message.headers);
  const received = { queue, partition, id, data, trace, attempt: message.info.deliveryCount };
  return { id, outcome: await attempt(deps, received, deps.handle, deps.failures.of(id)) };
}
