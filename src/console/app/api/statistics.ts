import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Statistics, StatisticsQuery } from '../../merchant/statistics/schemas.ts';
import { useMode } from '../routing/router.ts';
import { deskKey, inMode, readDesk } from './desk.ts';

/**
 * Payment statistics of a period in the current mode. The previous data stays visible until the
 * next is loaded.
 */
export function useStatistics(range: Omit<StatisticsQuery, 'mode'>) {
  const mode = useMode();
  return useQuery({
    queryKey: deskKey('statistics', mode, range),
    queryFn: ({ signal }) => readDesk<Statistics>('/statistics', inMode(mode, { ...range }), signal),
    placeholderData: keepPreviousData,
  });
}
