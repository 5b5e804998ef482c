import { messageOf, RetryableError, TerminalError } from '../errors.ts';
import type { BusMessage, Queue, SubscribeOptions } from './port.ts';
import { PARTITIONS } from './port.ts';

/** Queue names become a token of a NATS subject and part of a consumer's name, so both buses take only these. */
const QUEUE_NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** Ids travel in a header: printable ASCII without spaces. */
const MESSAGE_ID = /^[!-~]{1,256}$/;

/** Throws when a message cannot be addressed by either bus. That is a bug of the caller, so a plain error. */
export function assertPublishable(message: BusMessage): void {
  assertQueue(message.queue);
  assertPartition(message.partition);
  if (!MESSAGE_ID.test(message.id)) {
    throw new RangeError(`Message id ${JSON.stringify(message.id)} must be 1 to 256 printable ASCII characters`);
  }
}

/**
 * The partitions a subscription asks for: those named, or all. Throws when it asks for something neither bus can do.
 */
export function partitionsOf({ queue, maxInFlightPerPartition, partitions }: SubscribeOptions): readonly number[] {
  assertQueue(queue);
  if (!Number.isInteger(maxInFlightPerPartition) || maxInFlightPerPartition < 1) {
    throw new RangeError(`maxInFlightPerPartition ${maxInFlightPerPartition} must be a whole number from 1`);
  }
  partitions?.forEach(assertPartition);
  return partitions ?? Array.from({ length: PARTITIONS }, (_, partition) => partition);
}

/**
 * The JSON text of a message's data. Both buses carry text, so that what works in one process works between
 * processes: a receiver never shares an object with the sender. Throws `TerminalError` for what JSON cannot hold.
 */
export function encodeData(message: BusMessage): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(message.data);
  } catch (cause) {
    throw notJson(message, messageOf(cause), cause);
  }
  if (text === undefined) throw notJson(message, `it is of type ${typeof message.data}`);
  return text;
}

/** The data behind a text of `encodeData`. Throws `SyntaxError` for anything else. */
export function decodeData(text: string): unknown {
  return JSON.parse(text);
}

/** For what is asked of a bus after `close()`. */
export function closedError(): RetryableError {
  return new RetryableError('BUS_CLOSED', 'The bus is closed; try again after the restart');
}

function notJson(message: BusMessage, why: string, cause?: unknown): TerminalError {
  return new TerminalError(
    'BUS_MESSAGE_NOT_JSON',
    `The data of message ${message.id} to queue ${message.queue} is not a JSON value: ${why}. Send bigints as decimal strings.`,
    { cause },
  );
}

function assertQueue(queue: Queue): void {
  if (!QUEUE_NAME.test(queue)) {
    throw new RangeError(`Queue ${JSON.stringify(queue)} must be 1 to 64 letters, digits, "_" or "-"`);
  }
}

function assertPartition(partition: number): void {
  if (!Number.isInteger(partition) || partition < 0 || partition >= PARTITIONS) {
    throw new RangeError(`Partition ${partition} must be a whole number from 0 to ${PARTITIONS - 1}`);
  }
}
