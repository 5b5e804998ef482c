import { keepPreviousData, useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import type { Mode } from '../../../machines/index.ts';
import type {
  GivePlanBody,
  MerchantDetail,
  MerchantPage,
  PlanChangesBody,
  PlanTier,
  TierPlans,
} from '../../http/console/operator/merchant-schemas.ts';
import type { ActionPage, OfflineJournal, ReasonBody } from '../../http/console/operator/schemas.ts';
import type { NewMerchantBody, OpenedMerchant } from '../../http/console/session/schemas.ts';
import { nextCursor, read, readPages, useChange } from './queries.ts';
import { request } from './request.ts';

/** What operators see and change of merchants and plans, and their audited actions. */

const SHOW_PLANS = ['/plans', '/merchants', '/actions'];

export interface MerchantFilter {
  readonly search: string;
  /** Only merchants with a failing webhook endpoint of this mode. */
  readonly failingMode?: Mode | undefined;
}

export function useMerchants({ search, failingMode }: MerchantFilter, isEnabled = true) {
  const query = { search, failingMode };
  return useInfiniteQuery({
    ...readPages<MerchantPage>('/merchants', query, nextCursor),
    placeholderData: keepPreviousData,
    enabled: isEnabled,
  });
}

/** Creates a merchant and invites its owner. */
export function useOpenMerchant() {
  return useChange(
    (body: NewMerchantBody) => request<OpenedMerchant>('POST', '/merchants', body),
    ['/merchants', '/users'],
    { gcTime: 0 },
  );
}

export function useMerchant(id: string) {
  return useQuery(read<MerchantDetail>(merchantPath(id)));
}

export function useGivePlan(id: string) {
  return useChange(
    (body: GivePlanBody) => request<MerchantDetail>('POST', `${merchantPath(id)}/plan`, body),
    SHOW_PLANS,
  );
}

export function useApprove(id: string) {
  return useChange(
    (body: ReasonBody) => request<MerchantDetail>('POST', `${merchantPath(id)}/approve`, body),
    SHOW_PLANS,
  );
}

export function useTierPlans() {
  return useQuery(read<TierPlans>('/plans'));
}

export function useChangeTier(tier: PlanTier) {
  return useChange((body: PlanChangesBody) => request<TierPlans>('PATCH', `/plans/${tier}`, body), SHOW_PLANS);
}

/** `who` is a user id or an email; empty for all operators. */
export function useActions(who: string) {
  return useInfiniteQuery({
    ...readPages<ActionPage>('/actions', { who }, nextCursor),
    placeholderData: keepPreviousData,
  });
}

/** Replays a journal file with the charts of the server, which does not store it. */
export function useReadJournalFile() {
  return useMutation({ mutationFn: (file: unknown) => request<OfflineJournal>('POST', '/journals/read', file) });
}

// Helpers

function merchantPath(id: string): string {
  return `/merchants/${encodeURIComponent(id)}`;
}
