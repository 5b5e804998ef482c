import { keepPreviousData, useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import type {
  DeletedResponses,
  DeliveryDetail,
  DeliveryPage,
  EndpointChangesBody,
  EndpointDetail,
  EndpointList,
  EndpointSecret,
  NewEndpointBody,
  RedeliveryInfo,
  ReplayInfo,
  ReplayPreviewInfo,
  ReplayRange,
  RetriedDeliveries,
  RotateSecretBody,
  TestEventInfo,
} from '../../http/console/merchant/endpoints/schemas.ts';
import { queryClient } from './client.ts';
import { read, readPages, refresh, useChange } from './queries.ts';
import { request } from './request.ts';
import { useSecretChange } from './secret-change.ts';

/**
 * Poll interval while an attempt runs. An attempt takes at most 15 seconds, and the user waits for
 * its result.
 */
const SENDING_EVERY_MS = 700;
const REPLAY_EVERY_MS = 1_000;
const DELIVERIES_PER_PAGE = 50;

const ENDPOINTS = '/merchant/webhooks';
const SHOW_ENDPOINTS = [ENDPOINTS, '/merchant/overview', '/merchant/audit'];
const SHOW_SECRETS = [ENDPOINTS, '/merchant/audit'];

export function useEndpoints() {
  return useQuery(read<EndpointList>(ENDPOINTS));
}

export function useEndpoint(id: string) {
  return useQuery(read<EndpointDetail>(endpointPath(id)));
}

export function useCreateEndpoint(onSuccess: (made: EndpointSecret) => void) {
  return useSecretChange(
    (body: NewEndpointBody) => request<EndpointSecret>('POST', ENDPOINTS, body),
    SHOW_ENDPOINTS,
    onSuccess,
  );
}

export function useChangeEndpoint(id: string) {
  return useChange((changes: EndpointChangesBody) => request('PATCH', endpointPath(id), changes), SHOW_ENDPOINTS);
}

/** Leaves the endpoint's page before its queries are invalidated. */
export function useDeleteEndpoint(id: string, leave: () => void) {
  return useMutation({
    mutationFn: () => request('DELETE', endpointPath(id)),
    onSuccess: async () => {
      leave();
      await refresh(...SHOW_ENDPOINTS);
      // A later visit must not show the cached endpoint.
      queryClient.removeQueries({ queryKey: [endpointPath(id)] });
    },
  });
}

export function useDeleteResponses(id: string) {
  return useChange(() => request<DeletedResponses>('DELETE', `${endpointPath(id)}/responses`), SHOW_SECRETS);
}

export function useRegenerateSecret(id: string, onSuccess: (made: EndpointSecret) => void) {
  return useSecretChange<void, EndpointSecret>(
    () => request('POST', `${endpointPath(id)}/secret`),
    SHOW_SECRETS,
    onSuccess,
  );
}

export function useRotateSecret(id: string, onSuccess: (made: EndpointSecret) => void) {
  return useSecretChange(
    (body: RotateSecretBody) => request<EndpointSecret>('POST', `${endpointPath(id)}/rotate-secret`, body),
    SHOW_SECRETS,
    onSuccess,
  );
}

export function useSendTest(id: string) {
  return useChange(
    (event: string) => request<TestEventInfo>('POST', `${endpointPath(id)}/test`, { event }),
    [ENDPOINTS],
  );
}

export interface DeliveryFilter {
  readonly state?: string | undefined;
  readonly event?: string | undefined;
  readonly from?: number | undefined;
}

export function useDeliveries(endpointId: string, filter: DeliveryFilter) {
  const query = { ...filter, limit: DELIVERIES_PER_PAGE };
  return useInfiniteQuery({
    ...readPages<DeliveryPage>(`${endpointPath(endpointId)}/deliveries`, query, ({ cursor }) =>
      cursor === null ? null : { before: cursor },
    ),
    placeholderData: keepPreviousData,
  });
}

/** One delivery, polled while an attempt runs. */
export function useDelivery(id: string) {
  return useQuery({
    ...read<DeliveryDetail>(deliveryPath(id)),
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && (data.state === 'sending' || data.attempts.length === 0) ? SENDING_EVERY_MS : false,
  });
}

export function useRedeliver() {
  return useChange((id: string) => request<RedeliveryInfo>('POST', `${deliveryPath(id)}/redeliver`), [ENDPOINTS]);
}

/** Makes the next attempt of waiting deliveries now. */
export function useRetryWaiting(endpointId: string) {
  return useChange(() => request<RetriedDeliveries>('POST', `${endpointPath(endpointId)}/retry-waiting`), [ENDPOINTS]);
}

/** Disabled while the range is incomplete. */
export function useReplayPreview(endpointId: string, range: ReplayRange | null) {
  return useQuery({
    ...read<ReplayPreviewInfo>(`${endpointPath(endpointId)}/replay-preview`, { ...range }),
    enabled: range !== null,
  });
}

export function useStartReplay(endpointId: string) {
  return useChange(
    (range: ReplayRange) => request<ReplayInfo>('POST', `${endpointPath(endpointId)}/replays`, range),
    [ENDPOINTS],
  );
}

/** A replay, polled until it ends; `known` is its initial data. */
export function useReplay(known: ReplayInfo) {
  return useQuery({
    ...read<ReplayInfo>(replayPath(known.id)),
    initialData: known,
    refetchInterval: ({ state: { data } }) => (data?.state === 'running' ? REPLAY_EVERY_MS : false),
  });
}

export function useCancelReplay() {
  return useChange((id: string) => request<ReplayInfo>('POST', `${replayPath(id)}/cancel`), [ENDPOINTS]);
}

// Helpers

function endpointPath(id: string): string {
  return `${ENDPOINTS}/${encodeURIComponent(id)}`;
}

function deliveryPath(id: string): string {
  return `${ENDPOINTS}/deliveries/${encodeURIComponent(id)}`;
}

function replayPath(id: string): string {
  return `${ENDPOINTS}/replays/${encodeURIComponent(id)}`;
}
