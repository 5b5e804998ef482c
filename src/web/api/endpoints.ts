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
  RotateSecretBody,
  TestEventInfo,
} from '../../http/console/merchant/endpoints/schemas.ts';
import { queryClient } from './client.ts';
import { changeMerchantData, merchantKey, readMerchantData, refreshMerchantData } from './merchant-data.ts';

/**
 * Poll interval while an attempt runs. An attempt takes at most 15 seconds, and the user waits for
 * its result.
 */
const SENDING_EVERY_MS = 700;
const REPLAY_EVERY_MS = 1_000;
const DELIVERIES_PER_PAGE = 50;

export function useEndpoints() {
  return useQuery({
    queryKey: merchantKey('endpoints', 'list'),
    queryFn: ({ signal }) => readMerchantData<EndpointList>('/webhooks', {}, signal),
  });
}

export function useEndpoint(id: string) {
  return useQuery({
    queryKey: merchantKey('endpoints', 'one', id),
    queryFn: ({ signal }) => readMerchantData<EndpointDetail>(pathOf(id), {}, signal),
  });
}

/**
 * `show` receives the secret even if the form was closed before the response: it cannot be fetched
 * again.
 */
export function useCreateEndpoint(show: (made: EndpointSecret) => void) {
  return useMutation({
    mutationFn: (body: NewEndpointBody) => changeMerchantData<EndpointSecret>('POST', '/webhooks', body),
    // The response contains a secret, which must not stay in the cache.
    gcTime: 0,
    onSuccess: show,
    onSettled: () => refreshMerchantData('endpoints', 'overview', 'audit'),
  });
}

export function useChangeEndpoint(id: string) {
  return useMutation({
    mutationFn: (changes: EndpointChangesBody) => changeMerchantData<{ id: string }>('PATCH', pathOf(id), changes),
    onSettled: () => refreshMerchantData('endpoints', 'overview', 'audit'),
  });
}

/** Leaves the endpoint's page before its queries are invalidated. */
export function useDeleteEndpoint(id: string, leave: () => void) {
  return useMutation({
    mutationFn: () => changeMerchantData<void>('DELETE', pathOf(id)),
    onSuccess: async () => {
      leave();
      await refreshMerchantData('endpoints', 'overview', 'audit');
      // A later visit must not show the cached endpoint.
      queryClient.removeQueries({ queryKey: merchantKey('endpoints', 'one', id) });
    },
  });
}

export function useDeleteResponses(id: string) {
  return useMutation({
    mutationFn: () => changeMerchantData<DeletedResponses>('DELETE', `${pathOf(id)}/responses`),
    onSettled: () => refreshMerchantData('endpoints', 'audit'),
  });
}

/** `show` works as for a new endpoint. */
export function useRegenerateSecret(id: string, show: (made: EndpointSecret) => void) {
  return useMutation({
    mutationFn: () => changeMerchantData<EndpointSecret>('POST', `${pathOf(id)}/secret`),
    gcTime: 0,
    onSuccess: show,
    onSettled: () => refreshMerchantData('endpoints', 'audit'),
  });
}

/** `show` works as for a new endpoint. */
export function useRotateSecret(id: string, show: (made: EndpointSecret) => void) {
  return useMutation({
    mutationFn: (body: RotateSecretBody) =>
      changeMerchantData<EndpointSecret>('POST', `${pathOf(id)}/rotate-secret`, body),
    gcTime: 0,
    onSuccess: show,
    onSettled: () => refreshMerchantData('endpoints', 'audit'),
  });
}

export function useSendTest(id: string) {
  return useMutation({
    mutationFn: (event: string) => changeMerchantData<TestEventInfo>('POST', `${pathOf(id)}/test`, { event }),
    onSettled: () => refreshMerchantData('endpoints'),
  });
}

export interface DeliveryFilter {
  readonly state?: string | undefined;
  readonly event?: string | undefined;
  readonly from?: number | undefined;
}

export function useDeliveries(endpointId: string, filter: DeliveryFilter) {
  return useInfiniteQuery({
    queryKey: merchantKey('endpoints', 'deliveries', endpointId, filter),
    queryFn: ({ pageParam, signal }) =>
      readMerchantData<DeliveryPage>(
        `${pathOf(endpointId)}/deliveries`,
        { ...filter, before: pageParam ?? undefined, limit: DELIVERIES_PER_PAGE },
        signal,
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.cursor,
    placeholderData: keepPreviousData,
  });
}

/** One delivery, polled while an attempt runs. */
export function useDelivery(id: string) {
  return useQuery({
    queryKey: merchantKey('endpoints', 'delivery', id),
    queryFn: ({ signal }) => readMerchantData<DeliveryDetail>(deliveryPath(id), {}, signal),
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && (data.state === 'sending' || data.attempts.length === 0) ? SENDING_EVERY_MS : false,
  });
}

export function useRedeliver() {
  return useMutation({
    mutationFn: (id: string) => changeMerchantData<RedeliveryInfo>('POST', `${deliveryPath(id)}/redeliver`),
    onSettled: () => refreshMerchantData('endpoints'),
  });
}

/** Disabled while the range is incomplete. */
export function useReplayPreview(endpointId: string, range: ReplayRange | null) {
  return useQuery({
    queryKey: merchantKey('endpoints', 'replay-preview', endpointId, range),
    queryFn: ({ signal }) =>
      readMerchantData<ReplayPreviewInfo>(`${pathOf(endpointId)}/replay-preview`, { ...range }, signal),
    enabled: range !== null,
  });
}

export function useStartReplay(endpointId: string) {
  return useMutation({
    mutationFn: (range: ReplayRange) => changeMerchantData<ReplayInfo>('POST', `${pathOf(endpointId)}/replays`, range),
    onSettled: () => refreshMerchantData('endpoints'),
  });
}

/** A replay, polled until it ends; `known` is its initial data. */
export function useReplay(known: ReplayInfo) {
  return useQuery({
    queryKey: merchantKey('endpoints', 'replay', known.id),
    queryFn: ({ signal }) =>
      readMerchantData<ReplayInfo>(`/webhooks/replays/${encodeURIComponent(known.id)}`, {}, signal),
    initialData: known,
    refetchInterval: ({ state: { data } }) => (data?.state === 'running' ? REPLAY_EVERY_MS : false),
  });
}

export function useCancelReplay() {
  return useMutation({
    mutationFn: (id: string) =>
      changeMerchantData<ReplayInfo>('POST', `/webhooks/replays/${encodeURIComponent(id)}/cancel`),
    onSettled: () => refreshMerchantData('endpoints'),
  });
}

// Helpers

function pathOf(id: string): string {
  return `/webhooks/${encodeURIComponent(id)}`;
}

function deliveryPath(id: string): string {
  return `/webhooks/deliveries/${encodeURIComponent(id)}`;
}
