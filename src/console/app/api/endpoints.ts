import { keepPreviousData, useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import type {
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
  RotateSecretBody,
  TestEventInfo,
} from '../../merchant/endpoints/schemas.ts';
import { queryClient } from './client.ts';
import { changeDesk, deskKey, readDesk, refreshDesk } from './desk.ts';

/**
 * Poll interval while an attempt runs. An attempt takes at most 15 seconds, and the user waits for
 * its result.
 */
const SENDING_EVERY_MS = 700;
const REPLAY_EVERY_MS = 1_000;
const DELIVERIES_PER_PAGE = 50;

export function useEndpoints() {
  return useQuery({
    queryKey: deskKey('endpoints', 'list'),
    queryFn: ({ signal }) => readDesk<EndpointList>('/webhooks', {}, signal),
  });
}

export function useEndpoint(id: string) {
  return useQuery({
    queryKey: deskKey('endpoints', 'one', id),
    queryFn: ({ signal }) => readDesk<EndpointDetail>(pathOf(id), {}, signal),
  });
}

/**
 * `show` receives the secret even if the form was closed before the response: it cannot be fetched
 * again.
 */
export function useCreateEndpoint(show: (made: EndpointSecret) => void) {
  return useMutation({
    mutationFn: (body: NewEndpointBody) => changeDesk<EndpointSecret>('POST', '/webhooks', body),
    // The response contains a secret, which must not stay in the cache.
    gcTime: 0,
    onSuccess: show,
    onSettled: () => refreshDesk('endpoints', 'overview', 'audit'),
  });
}

export function useChangeEndpoint(id: string) {
  return useMutation({
    mutationFn: (changes: EndpointChangesBody) => changeDesk<{ id: string }>('PATCH', pathOf(id), changes),
    onSettled: () => refreshDesk('endpoints', 'overview', 'audit'),
  });
}

/** Leaves the endpoint's page before its queries are invalidated. */
export function useDeleteEndpoint(id: string, leave: () => void) {
  return useMutation({
    mutationFn: () => changeDesk<void>('DELETE', pathOf(id)),
    onSuccess: async () => {
      leave();
      await refreshDesk('endpoints', 'overview', 'audit');
      // A later visit must not show the cached endpoint.
      queryClient.removeQueries({ queryKey: deskKey('endpoints', 'one', id) });
    },
  });
}

/** `show` works as for a new endpoint. */
export function useRegenerateSecret(id: string, show: (made: EndpointSecret) => void) {
  return useMutation({
    mutationFn: () => changeDesk<EndpointSecret>('POST', `${pathOf(id)}/secret`),
    gcTime: 0,
    onSuccess: show,
    onSettled: () => refreshDesk('endpoints', 'audit'),
  });
}

/** `show` works as for a new endpoint. */
export function useRotateSecret(id: string, show: (made: EndpointSecret) => void) {
  return useMutation({
    mutationFn: (body: RotateSecretBody) => changeDesk<EndpointSecret>('POST', `${pathOf(id)}/rotate-secret`, body),
    gcTime: 0,
    onSuccess: show,
    onSettled: () => refreshDesk('endpoints', 'audit'),
  });
}

export function useSendTest(id: string) {
  return useMutation({
    mutationFn: (event: string) => changeDesk<TestEventInfo>('POST', `${pathOf(id)}/test`, { event }),
    onSettled: () => refreshDesk('endpoints'),
  });
}

export interface DeliveryFilter {
  readonly state?: string | undefined;
  readonly event?: string | undefined;
  readonly from?: number | undefined;
}

export function useDeliveries(endpointId: string, filter: DeliveryFilter) {
  return useInfiniteQuery({
    queryKey: deskKey('endpoints', 'deliveries', endpointId, filter),
    queryFn: ({ pageParam, signal }) =>
      readDesk<DeliveryPage>(
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
    queryKey: deskKey('endpoints', 'delivery', id),
    queryFn: ({ signal }) => readDesk<DeliveryDetail>(deliveryPath(id), {}, signal),
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && (data.state === 'sending' || data.attempts.length === 0) ? SENDING_EVERY_MS : false,
  });
}

export function useRedeliver() {
  return useMutation({
    mutationFn: (id: string) => changeDesk<RedeliveryInfo>('POST', `${deliveryPath(id)}/redeliver`),
    onSettled: () => refreshDesk('endpoints'),
  });
}

export function useReplayPreview(endpointId: string, since: number | null) {
  return useQuery({
    queryKey: deskKey('endpoints', 'replay-preview', endpointId, since),
    queryFn: ({ signal }) =>
      readDesk<ReplayPreviewInfo>(`${pathOf(endpointId)}/replay-preview`, { since: since ?? undefined }, signal),
    enabled: since !== null,
  });
}

export function useStartReplay(endpointId: string) {
  return useMutation({
    mutationFn: (since: number) => changeDesk<ReplayInfo>('POST', `${pathOf(endpointId)}/replays`, { since }),
    onSettled: () => refreshDesk('endpoints'),
  });
}

/** A replay, polled until it ends; `known` is its initial data. */
export function useReplay(known: ReplayInfo) {
  return useQuery({
    queryKey: deskKey('endpoints', 'replay', known.id),
    queryFn: ({ signal }) => readDesk<ReplayInfo>(`/webhooks/replays/${encodeURIComponent(known.id)}`, {}, signal),
    initialData: known,
    refetchInterval: ({ state: { data } }) => (data?.state === 'running' ? REPLAY_EVERY_MS : false),
  });
}

export function useCancelReplay() {
  return useMutation({
    mutationFn: (id: string) => changeDesk<ReplayInfo>('POST', `/webhooks/replays/${encodeURIComponent(id)}/cancel`),
    onSettled: () => refreshDesk('endpoints'),
  });
}

// Helpers

function pathOf(id: string): string {
  return `/webhooks/${encodeURIComponent(id)}`;
}

function deliveryPath(id: string): string {
  return `/webhooks/deliveries/${encodeURIComponent(id)}`;
}
