import { TerminalError } from '../errors.ts';

/** Queue of messages that each request one attempt of a delivery. */
export const SEND_QUEUE = 'webhook-send';

export interface SendMessage {
  readonly deliveryId: string;
  /** Endpoint of the delivery, so that a busy endpoint is detected without a query. */
  readonly endpointId: string;
  readonly attempt: number;
  /** Requested explicitly: sent even while the endpoint is held back. */
  readonly isRequested: boolean;
  /**
   * Sent even while the endpoint is held back, because the delivery would otherwise not have time
   * for all of its attempts.
   */
  readonly isOverdue: boolean;
}

/** Validates a message from the bus. Throws `TerminalError` for anything that is not an attempt. */
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
