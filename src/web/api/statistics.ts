import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Statistics, StatisticsQuery } from '../../http/console/merchant/statistics/schemas.ts';
import { useMode } from '../routing/router.ts';
import { read } from './queries.ts';

/**
 * Payment statistics of a period in the current mode. The previous data stays visible until the
 * next is loaded.
 */
export function useStatistics(range: Omit<StatisticsQuery, 'mode'>) {
  return useQuery({
    ...read<Statistics>('/merchant/statistics', { mode: useMode(), ...range }),
    placeholderData: keepPreviousData,
  });
}
