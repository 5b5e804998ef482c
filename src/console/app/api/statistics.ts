import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Statistics, StatisticsQuery } from '../../contract/statistics.ts';
import { useMode } from '../routing/router.ts';
import { deskKey, inMode, readDesk } from './desk.ts';

/** How the payments of a time went, in the mode that is looked at. What is there stays until the next is. */
export function useStatistics(range: Omit<StatisticsQuery, 'mode'>) {
  const mode = useMode();
  return useQuery({
    queryKey: deskKey('statistics', mode, range),
    queryFn: ({ signal }) => readDesk<Statistics>('/statistics', inMode(mode, { ...range }), signal),
    placeholderData: keepPreviousData,
  });
}
