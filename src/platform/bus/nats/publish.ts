import { InvalidArgumentError } from '@nats-io/transport-node';
import { messageOf, RetryableError, TerminalError } from '../../errors.ts';
import { serializeContext } from '../../request-context.ts';
import { assertPublishable, encodeData } from '../message.ts';
import type { BusMessage } from '../port.ts';
import type { Broker } from './broker.ts';
import { REQUEST_TIMEOUT_MS } from './broker.ts';
import { headersOf } from './context-headers.ts';
import { hasNoResponders } from './stream-ready.ts';
import { subjectOf } from './topology.ts';

/** Maximum number of times a message is published when its stream is missing and recreated. */
const MAX_SENDS = 3;

/**
 * Resolves when the stream has stored the message, or already had this id. Rejects with
 * `RetryableError` when that is unknown: the message may still be stored, and the broker then drops
 * a repeated publish of the id. Rejects with `TerminalError` `BUS_MESSAGE_REFUSED` or
 * `BUS_MESSAGE_NOT_JSON`.
 */
export async function publish(broker: Broker, prefix: string, message: BusMessage): Promise<void> {
  assertPublishable(message);
  const text = encodeData(message);
  await broker.tried;
  for (let send = 1; ; send += 1) {
    // While the stream is being recreated there is briefly no session, which is not an error.
    if (broker.current() === undefined) await broker.attempted();
    const session = broker.current();
    if (session === undefined) throw unreachable(broker.problem());
    try {
      const subject = subjectOf(prefix, message.queue, message.partition);
      const headers = headersOf(message.trace ?? serializeContext());
      await session.js.publish(subject, text, { msgID: message.id, timeout: REQUEST_TIMEOUT_MS, ...headers });
      return;
    } catch (error) {
      if (!hasNoResponders(error) || send === MAX_SENDS) throw asBusError(message, error);
      await broker.renew(session);
    }
  }
}

function asBusError(message: BusMessage, error: unknown): Error {
  if (error instanceof InvalidArgumentError) {
    return new TerminalError(
      'BUS_MESSAGE_REFUSED',
      `NATS rejects message ${message.id} to queue ${message.queue}: ${error.message}. ` +
        'Send less data, or raise max_payload of the server.',
      { cause: error },
    );
  }
  return new RetryableError('BUS_PUBLISH_FAILED', `NATS did not store message ${message.id}: ${messageOf(error)}`, {
    cause: error,
  });
}

function unreachable(problem: string): RetryableError {
  return new RetryableError(
    'BUS_UNREACHABLE',
    `NATS is unavailable (${problem}); check that the server is running with JetStream (-js)`,
  );
}
