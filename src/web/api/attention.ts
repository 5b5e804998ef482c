import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import type {
  AttentionCount,
  AttentionItemInfo,
  AttentionKindName,
  AttentionList,
  SettleAttentionBody,
} from '../../http/console/merchant/attention/schemas.ts';
import { useMode } from '../routing/router.ts';
import { changeMerchantData, inMode, merchantKey, readMerchantData, refreshMerchantData } from './merchant-data.ts';

const ITEMS_PER_PAGE = 50;

/** Number of payments that need attention in the current mode. */
export function useNeedsAttentionCount(isEnabled = true) {
  const mode = useMode();
  return useQuery({
    queryKey: merchantKey('attention', mode, 'count'),
    queryFn: ({ signal }) => readMerchantData<AttentionCount>('/attention/count', inMode(mode), signal),
    enabled: isEnabled,
  });
}

/** Open items, oldest first, or settled ones, newest first. */
export function useAttention(show: 'open' | 'settled', kind: AttentionKindName | undefined) {
  const mode = useMode();
  return useInfiniteQuery({
    queryKey: merchantKey('attention', mode, 'list', show, kind ?? null),
    queryFn: ({ signal, pageParam: cursor }) =>
      readMerchantData<AttentionList>(
        '/attention',
        inMode(mode, { show, kind, cursor, limit: ITEMS_PER_PAGE }),
        signal,
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ cursor }) => cursor ?? undefined,
  });
}

/** Marks an item as settled. */
export function useSettleAttention({ transactionId, kind, amountCrypto, revision }: AttentionItemInfo) {
  const path = `/attention/${encodeURIComponent(transactionId)}/${kind}/settle`;
  return useMutation({
    mutationFn: (note: string) => {
      const body: SettleAttentionBody = { note, amountCrypto, revision };
      return changeMerchantData<void>('POST', path, body);
    },
    // Also after an error: another user settled it first, or the coins have changed.
    onSettled: () => refreshMerchantData('attention', 'payments', 'overview'),
  });
}
