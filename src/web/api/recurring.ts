import { keepPreviousData, useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import type {
  NewScheduleBody,
  PeriodPage,
  ScheduleDecisionName,
  ScheduleDetail,
  ScheduleInfo,
  SchedulePage,
  SimulateScheduleBody,
} from '../../http/console/merchant/recurring/schemas.ts';
import { useMode } from '../routing/router.ts';
import { changeMerchantData, inMode, merchantKey, readMerchantData, refreshMerchantData } from './merchant-data.ts';

export interface ScheduleFilter {
  /** Both are empty for no filter. */
  readonly status: string;
  readonly reference: string;
}

/** The recurring payment requests of the current mode, newest first. */
export function useSchedules(filter: ScheduleFilter) {
  const mode = useMode();
  return useInfiniteQuery({
    queryKey: merchantKey('recurring', mode, 'list', filter),
    queryFn: ({ pageParam, signal }) =>
      readMerchantData<SchedulePage>('/recurring', inMode(mode, { ...filter, offset: pageParam }), signal),
    initialPageParam: 0,
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
  });
}

export function useSchedule(id: string) {
  const mode = useMode();
  return useQuery({
    queryKey: merchantKey('recurring', mode, id),
    queryFn: ({ signal }) => readMerchantData<ScheduleDetail>(pathOf(id), inMode(mode), signal),
  });
}

export function usePeriods(id: string) {
  const mode = useMode();
  return useInfiniteQuery({
    queryKey: merchantKey('recurring', mode, id, 'periods'),
    queryFn: ({ pageParam, signal }) =>
      readMerchantData<PeriodPage>(`${pathOf(id)}/periods`, inMode(mode, { offset: pageParam }), signal),
    initialPageParam: 0,
    getNextPageParam: (page) => page.next,
  });
}

export function useCreateSchedule() {
  return useMutation({
    mutationFn: (body: NewScheduleBody) => changeMerchantData<ScheduleInfo>('POST', '/recurring', body),
    onSettled: () => refreshMerchantData('recurring'),
  });
}

export function useDecideSchedule(id: string) {
  const mode = useMode();
  return useMutation({
    mutationFn: (decision: ScheduleDecisionName) =>
      changeMerchantData<ScheduleInfo>('POST', `${pathOf(id)}/${decision}`, { mode }),
    onSettled: () => refreshMerchantData('recurring'),
  });
}

export function useSimulateSchedule(id: string) {
  return useMutation({
    mutationFn: (body: SimulateScheduleBody) =>
      changeMerchantData<ScheduleInfo>('POST', `${pathOf(id)}/simulate`, body),
    onSettled: () => refreshMerchantData('recurring'),
  });
}

// Helpers

function pathOf(id: string): string {
  return `/recurring/${encodeURIComponent(id)}`;
}
