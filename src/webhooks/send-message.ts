import { TerminalError } from '../errors.ts';

/** Messages to this queue ask a sender to make one attempt of a delivery. */
export const SEND_QUEUE = 'webhook-send';

export interface SendMessage {
  readonly deliveryId: string;
  /** Of the delivery, so that a busy endpoint is noticed without asking the database. */
  readonly endpointId: string;
  readonly attempt: number;
  /** Somebody waits for it: it is made even while the endpoint is held back. */
  readonly isRequested: boolean;
  /** Likewise: later, its delivery could not make all of its attempts. */
  readonly isOverdue: boolean;
}

/** Checks what came over the bus. Throws `TerminalError` for anything that is not an attempt. */
export function readSendMessage(data: unknown): SendMessage {
  if (typeof data === 'object' && data !== null) {
    const { deliveryId, endpointId, attempt, isRequested, isOverdue } = data as Record<string, unknown>;
    if (typeof deliveryId === 'string' && typeof endpointId === 'string' && Number.isSafeInteger(attempt)) {
      const flags = { isRequested: isRequested === true, isOverdue: isOverdue === true };
      return { deliveryId, endpointId, attempt: attempt as number, ...flags };
    }
  }
  throw new TerminalError('NOT_AN_ATTEMPT', 'The message is not {deliveryId, endpointId, attempt}');
}
