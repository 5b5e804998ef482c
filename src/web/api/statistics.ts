import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Statistics, StatisticsQuery } from '../../http/console/merchant/statistics/schemas.ts';
import { useMode } from '../routing/router.ts';
import { inMode, merchantKey, readMerchantData } from './merchant-data.ts';

/**
 * Payment statistics of a period in the current mode. The previous data stays visible until the
 * next is loaded.
 */
export function useStatistics(range: Omit<StatisticsQuery, 'mode'>) {
  const mode = useMode();
  return useQuery({
    queryKey: merchantKey('statistics', mode, range),
    queryFn: ({ signal }) => readMerchantData<Statistics>('/statistics', inMode(mode, { ...range }), signal),
    placeholderData: keepPreviousData,
  });
}
