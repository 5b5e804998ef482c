import type { Mode, UnixMs } from '../../machines/index.ts';
import type { WebhookEventType } from '../webhooks/index.ts';

/** One event, with the bytes the service would store and send for it. */
export interface RecordedEvent {
  readonly id: string;
  readonly event: WebhookEventType;
  /** Mode of the payment or recurring payment request. */
  readonly mode: Mode;
  /** Position among the events of its payment or recurring payment request: 1, 2, 3 … */
  readonly sequence: number;
  readonly at: UnixMs;
  /** The exact JSON text. */
  readonly body: string;
}

/** Anything that raises events for a merchant. */
export interface RecordedHistory {
  readonly events: readonly RecordedEvent[];
}

/** The same event in the given mode. */
export function inMode(event: RecordedEvent, mode: RecordedEvent['mode']): RecordedEvent {
  if (event.mode === mode) return event;
  return { ...event, mode, body: JSON.stringify({ ...JSON.parse(event.body), mode }) };
}
