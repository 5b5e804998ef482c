import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
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
import { read, readPages, useChange } from './queries.ts';
import { request } from './request.ts';

export interface ScheduleFilter {
  /** Both are empty for no filter. */
  readonly status: string;
  readonly reference: string;
}

const SCHEDULES = '/merchant/recurring';

/** The recurring payment requests of the current mode, newest first. */
export function useSchedules(filter: ScheduleFilter) {
  return useInfiniteQuery({
    ...readPages<SchedulePage>(SCHEDULES, { mode: useMode(), ...filter }, nextOffset),
    placeholderData: keepPreviousData,
  });
}

export function useSchedule(id: string) {
  return useQuery(read<ScheduleDetail>(schedulePath(id), { mode: useMode() }));
}

export function usePeriods(id: string) {
  return useInfiniteQuery(readPages<PeriodPage>(`${schedulePath(id)}/periods`, { mode: useMode() }, nextOffset));
}

export function useCreateSchedule() {
  return useChange((body: NewScheduleBody) => request<ScheduleInfo>('POST', SCHEDULES, body), [SCHEDULES]);
}

export function useDecideSchedule(id: string) {
  const mode = useMode();
  return useChange(
    (decision: ScheduleDecisionName) => request<ScheduleInfo>('POST', `${schedulePath(id)}/${decision}`, { mode }),
    [SCHEDULES],
  );
}

export function useSimulateSchedule(id: string) {
  return useChange(
    (body: SimulateScheduleBody) => request<ScheduleInfo>('POST', `${schedulePath(id)}/simulate`, body),
    [SCHEDULES],
  );
}

// Helpers

function schedulePath(id: string): string {
  return `${SCHEDULES}/${encodeURIComponent(id)}`;
}

function nextOffset({ next }: { readonly next: number | null }) {
  return next === null ? null : { offset: next };
}
