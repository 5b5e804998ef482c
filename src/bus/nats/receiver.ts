import type { JsMsg } from '@nats-io/jetstream';
import { messageOf } from '../../errors.ts';
import type { AttemptDeps, Outcome } from '../attempt.ts';
import { attempt, bury } from '../attempt.ts';
import { decodeData } from '../message.ts';
import type { BusHandler, Queue } from '../port.ts';
import { settledWithin } from '../settled-within.ts';
import type { FailureCounts } from './failure-counts.ts';
import { carriedIn } from './work-headers.ts';

/** Runs the handler for what arrives on a subscription and tells the broker the outcome. */
export interface Receiver {
  receive(message: JsMsg, partition: number): void;
  /**
   * Resolves when no handler runs any more, or `patienceMs` later; what runs still is handed back then. Nothing may arrive
   * after the call.
   */
  finish(patienceMs?: number): Promise<void>;
}

export interface ReceiverDeps extends AttemptDeps {
  readonly queue: Queue;
  readonly handle: BusHandler;
  readonly failures: FailureCounts;
  readonly ackWaitMs: number;
}

/** Messages that are with the handler show signs of life this often within the broker's patience. */
const SIGNS_PER_ACK_WAIT = 4;

/** Makes the receiver of one subscription. */
export function createReceiver(deps: ReceiverDeps): Receiver {
  /** Hand-outs that run now, by consumer and stream sequence, with the newest delivery of their message. */
  const running = new Map<string, { newest: JsMsg; done: Promise<void> }>();

  // One timer for all: a handler that is quicker than its period, as nearly all are, costs nothing.
  const signs = setInterval(() => {
    for (const { newest } of running.values()) tell(() => newest.working());
  }, deps.ackWaitMs / SIGNS_PER_ACK_WAIT);

  async function settle(key: string, first: JsMsg, partition: number): Promise<void> {
    const { id, outcome } = await handOut(deps, first, partition);
    deps.failures.set(id, outcome.kind === 'again' ? outcome.failures : 0);
    const newest = running.get(key)?.newest ?? first;
    // What was handed back meanwhile is with somebody else.
    if (!running.delete(key)) return;
    tell(() => (outcome.kind === 'settled' ? newest.ack() : newest.nak(outcome.afterMs)));
  }

  /** A reply that cannot be sent is not an error: the broker hands the message out again. */
  function tell(reply: () => void): void {
    try {
      reply();
    } catch (error) {
      deps.log.warn(
        { queue: deps.queue, cause: messageOf(error) },
        'An outcome could not be told; its message comes again',
      );
    }
  }

  return {
    receive(message, partition) {
      const key = `${message.info.consumer}.${message.seq}`;
      const known = running.get(key);
      if (known !== undefined) {
        // The broker lost patience although the handler still runs. It must not run twice at once.
        known.newest = message;
        return;
      }
      const entry = { newest: message, done: Promise.resolve() };
      running.set(key, entry);
      entry.done = settle(key, message, partition);
    },
    async finish(patienceMs) {
      await settledWithin(
        [...running.values()].map(({ done }) => done),
        patienceMs,
      );
      clearInterval(signs);
      for (const [key, { newest }] of running) {
        running.delete(key);
        tell(() => newest.nak());
      }
    },
  };
}

async function handOut(
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
    return { id, outcome: await bury(deps, foreign, `Its data is not JSON: ${messageOf(error)}`, 0) };
  }
  const trace = carriedIn(message.headers);
  const received = { queue, partition, id, data, trace, attempt: message.info.deliveryCount };
  return { id, outcome: await attempt(deps, received, deps.handle, deps.failures.of(id)) };
}
