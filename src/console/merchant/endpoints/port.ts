import type {
  DeliveryDetail,
  DeliveryPage,
  DeliveryState,
  EndpointChangesBody,
  EndpointDetail,
  EndpointList,
  EndpointSecret,
  NewEndpointBody,
  RedeliveryInfo,
  ReplayInfo,
  ReplayPreviewInfo,
  RotateSecretBody,
  TestEventInfo,
} from '../../contract/endpoints.ts';
import type { Member } from '../member.ts';

/** Filter and page of the deliveries, newest first. */
export interface DeliveryQuery {
  readonly state?: DeliveryState;
  readonly event?: string;
  /** Started at this time or later. */
  readonly from?: number;
  /** A delivery of the endpoint: only older ones are returned. */
  readonly before?: string;
  readonly limit: number;
}

/**
 * Webhook endpoints of the member's merchant, and their delivery log. Rejects with a
 * `TerminalError`: `WEBHOOK_ENDPOINT_NOT_FOUND`, `WEBHOOK_DELIVERY_NOT_FOUND` or
 * `WEBHOOK_REPLAY_NOT_FOUND`, also for another merchant's, or an error of the use cases of
 * `webhooks` about a field.
 */
export interface EndpointsDesk {
  list(member: Member): Promise<EndpointList>;
  get(member: Member, endpointId: string): Promise<EndpointDetail>;
  create(member: Member, wanted: NewEndpointBody): Promise<EndpointSecret>;
  change(member: Member, endpointId: string, changes: EndpointChangesBody): Promise<void>;
  remove(member: Member, endpointId: string): Promise<void>;
  regenerateSecret(member: Member, endpointId: string): Promise<EndpointSecret>;
  rotateSecret(member: Member, endpointId: string, rotation: RotateSecretBody): Promise<EndpointSecret>;
  sendTest(member: Member, endpointId: string, event: string): Promise<TestEventInfo>;
  deliveries(member: Member, endpointId: string, query: DeliveryQuery): Promise<DeliveryPage>;
  delivery(member: Member, deliveryId: string): Promise<DeliveryDetail>;
  redeliver(member: Member, deliveryId: string): Promise<RedeliveryInfo>;
  previewReplay(member: Member, endpointId: string, since: number): Promise<ReplayPreviewInfo>;
  replay(member: Member, endpointId: string, since: number): Promise<ReplayInfo>;
  getReplay(member: Member, replayId: string): Promise<ReplayInfo>;
  cancelReplay(member: Member, replayId: string): Promise<ReplayInfo>;
}
