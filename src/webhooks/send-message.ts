import type { UnixMs } from '../../machines/index.ts';
import { TerminalError } from '../platform/errors.ts';
import type { OwedDelivery } from './owed-deliveries.ts';

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
  /** Set on a first attempt: the delivery has a row and, unless one was needed since, no actor. */
  readonly owed?: { readonly webhookEventId: string; readonly since: UnixMs } | undefined;
}

/** Requests the first attempt of a delivery that has no actor yet. */
export function firstAttempt({ deliveryId, endpointId, webhookEventId, createdAt: since }: OwedDelivery): SendMessage {
  return { deliveryId, endpointId, attempt: 1, isRequested: false, isOverdue: false, owed: { webhookEventId, since } };
}

/** Validates a message from the bus. Throws `TerminalError` for anything that is not an attempt. */
export function readSendMessage(data: unknown): SendMessage {
  if (typeof data === 'object' && data !== null) {
    const { deliveryId, endpointId, attempt, isRequested, isOverdue, owed } = data as Record<string, unknown>;
    if (typeof deliveryId === 'string' && typeof endpointId === 'string' && Number.isSafeInteger(attempt)) {
      const flags = { isRequested: isRequested === true, isOverdue: isOverdue === true };
      const message = { deliveryId, endpointId, attempt: attempt as number, ...flags };
      return isOwed(owed) ? { ...message, owed } : message;
    }
  }
  throw new TerminalError('NOT_AN_ATTEMPT', 'The message is not {deliveryId, endpointId, attempt}');
}

// Helpers

function isOwed(owed: unknown): owed is NonNullable<SendMessage['owed']> {
  if (typeof owed !== 'object' || owed === null) return false;
  const { webhookEventId, since } = owed as Record<string, unknown>;
  return typeof webhookEventId === 'string' && typeof since === 'number';
}
