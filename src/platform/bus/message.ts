import { messageOf, RetryableError, TerminalError } from '../errors.ts';
import type { BusMessage, Queue, SubscribeOptions } from './port.ts';
import { PARTITIONS } from './port.ts';

/**
 * A queue name becomes a NATS subject token and part of a consumer name, so both buses accept only
 * these.
 */
const QUEUE_NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** Ids are sent in a header: printable ASCII without spaces. */
const MESSAGE_ID = /^[!-~]{1,256}$/;

/**
 * Throws `RangeError` when queue, partition or id is invalid for either bus: a bug of the caller.
 */
export function assertPublishable(message: BusMessage): void {
  assertQueue(message.queue);
  assertPartition(message.partition);
  if (!MESSAGE_ID.test(message.id)) {
    throw new RangeError(`Message id ${JSON.stringify(message.id)} must be 1 to 256 printable ASCII characters`);
  }
}

/**
 * Returns the partitions of a subscription: those given, or all. Throws `RangeError` when an option
 * is invalid for either bus.
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
 * Returns the JSON text of a message's data. Both buses carry text, so that code that works in one
 * process also works across processes: receiver and sender never share an object. Throws
 * `TerminalError` `BUS_MESSAGE_NOT_JSON`.
 */
export function encodeData(message: BusMessage): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(message.data);
  } catch (cause) {
    throw notJson(message, messageOf(cause), cause);
  }
  if (text === undefined) throw notJson(message, `its type is ${typeof message.data}`);
  return text;
}

/** Parses the text written by `encodeData`. Throws `SyntaxError` for anything else. */
export function decodeData(text: string): unknown {
  return JSON.parse(text);
}

/** The error of every call after `close()`. */
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
