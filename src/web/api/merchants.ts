import { keepPreviousData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type {
  GivePlanBody,
  MerchantDetail,
  MerchantPage,
  PlanChangesBody,
  PlanTier,
  TierPlans,
} from '../../http/console/operations/merchant-schemas.ts';
import type { ActionPage, OfflineJournal, ReasonBody } from '../../http/console/operations/schemas.ts';
import type { NewMerchantBody, OpenedMerchant } from '../../http/console/session/schemas.ts';
import { queryText } from '../routing/paths.ts';
import { request } from './request.ts';

/** What operators see and change of merchants and plans, and their audited actions. */

export interface MerchantFilter {
  readonly search: string;
  /** Only those with a webhook endpoint that fails now. */
  readonly isFailing?: boolean;
}

export function useMerchants({ search, isFailing = false }: MerchantFilter, isEnabled = true) {
  const query = { search, isFailing: isFailing ? 'true' : undefined };
  return useInfiniteQuery({
    queryKey: ['merchants', query],
    queryFn: ({ pageParam, signal }) =>
      request<MerchantPage>(`/merchants${queryText({ ...query, cursor: pageParam ?? undefined })}`, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.cursor,
    placeholderData: keepPreviousData,
    enabled: isEnabled,
  });
}

/** Creates a merchant and invites its owner. */
export function useOpenMerchant() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: NewMerchantBody) => request<OpenedMerchant>('/merchants', { method: 'POST', body }),
    onSuccess: () => refresh(client, ['merchants'], ['users']),
    gcTime: 0,
  });
}

export function useMerchant(id: string) {
  return useQuery({
    queryKey: ['merchant', id],
    queryFn: ({ signal }) => request<MerchantDetail>(pathOf(id), { signal }),
  });
}

export function useGivePlan(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: GivePlanBody) => request<MerchantDetail>(`${pathOf(id)}/plan`, { method: 'POST', body }),
    onSuccess: () => refresh(client, ['merchant', id], ['merchants'], ['actions']),
  });
}

export function useApprove(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: ReasonBody) => request<MerchantDetail>(`${pathOf(id)}/approve`, { method: 'POST', body }),
    onSuccess: () => refresh(client, ['merchant', id], ['merchants'], ['actions']),
  });
}

export function useTierPlans() {
  return useQuery({
    queryKey: ['plans'],
    queryFn: ({ signal }) => request<TierPlans>('/plans', { signal }),
  });
}

export function useChangeTier(tier: PlanTier) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: PlanChangesBody) => request<TierPlans>(`/plans/${tier}`, { method: 'PATCH', body }),
    onSuccess: () => refresh(client, ['plans'], ['merchants'], ['merchant'], ['actions']),
  });
}

/** `who` is a user id or an e-mail; empty for all operators. */
export function useActions(who: string) {
  return useInfiniteQuery({
    queryKey: ['actions', who],
    queryFn: ({ pageParam, signal }) =>
      request<ActionPage>(`/actions${queryText({ who, cursor: pageParam ?? undefined })}`, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.cursor,
    placeholderData: keepPreviousData,
  });
}

/** Replays a journal file with the charts of the server, which does not store it. */
export function useReadJournalFile() {
  return useMutation({
    mutationFn: (file: unknown) => request<OfflineJournal>('/journals/read', { method: 'POST', body: file }),
  });
}

// Helpers

function refresh(client: ReturnType<typeof useQueryClient>, ...keys: readonly (readonly string[])[]): Promise<unknown> {
  return Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })));
}

function pathOf(id: string): string {
  return `/merchants/${encodeURIComponent(id)}`;
}
