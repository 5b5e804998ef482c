import { keepPreviousData, useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import type {
  NewScheduleBody,
  PeriodPage,
  ScheduleDecisionName,
  ScheduleDetail,
  ScheduleInfo,
  SchedulePage,
  SimulateScheduleBody,
} from '../../merchant/recurring/schemas.ts';
import { useMode } from '../routing/router.ts';
import { changeDesk, deskKey, inMode, readDesk, refreshDesk } from './desk.ts';

export interface ScheduleFilter {
  /** Both are empty for no filter. */
  readonly status: string;
  readonly reference: string;
}

/** The recurring payment requests of the current mode, newest first. */
export function useSchedules(filter: ScheduleFilter) {
  const mode = useMode();
  return useInfiniteQuery({
    queryKey: deskKey('recurring', mode, 'list', filter),
    queryFn: ({ pageParam, signal }) =>
      readDesk<SchedulePage>('/recurring', inMode(mode, { ...filter, offset: pageParam }), signal),
    initialPageParam: 0,
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
  });
}

export function useSchedule(id: string) {
  const mode = useMode();
  return useQuery({
    queryKey: deskKey('recurring', mode, id),
    queryFn: ({ signal }) => readDesk<ScheduleDetail>(pathOf(id), inMode(mode), signal),
  });
}

export function usePeriods(id: string) {
  const mode = useMode();
  return useInfiniteQuery({
    queryKey: deskKey('recurring', mode, id, 'periods'),
    queryFn: ({ pageParam, signal }) =>
      readDesk<PeriodPage>(`${pathOf(id)}/periods`, inMode(mode, { offset: pageParam }), signal),
    initialPageParam: 0,
    getNextPageParam: (page) => page.next,
  });
}

export function useCreateSchedule() {
  return useMutation({
    mutationFn: (body: NewScheduleBody) => changeDesk<ScheduleInfo>('POST', '/recurring', body),
    onSettled: () => refreshDesk('recurring'),
  });
}

export function useDecideSchedule(id: string) {
  const mode = useMode();
  return useMutation({
    mutationFn: (decision: ScheduleDecisionName) =>
      changeDesk<ScheduleInfo>('POST', `${pathOf(id)}/${decision}`, { mode }),
    onSettled: () => refreshDesk('recurring'),
  });
}

export function useSimulateSchedule(id: string) {
  return useMutation({
    mutationFn: (body: SimulateScheduleBody) => changeDesk<ScheduleInfo>('POST', `${pathOf(id)}/simulate`, body),
    onSettled: () => refreshDesk('recurring'),
  });
}

// Helpers

function pathOf(id: string): string {
  return `/recurring/${encodeURIComponent(id)}`;
}
