import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import type {
  AttentionCount,
  AttentionItemInfo,
  AttentionKindName,
  AttentionList,
  SettleAttentionBody,
} from '../../merchant/attention/schemas.ts';
import { useMode } from '../routing/router.ts';
import { changeDesk, deskKey, inMode, readDesk, refreshDesk } from './desk.ts';

const ITEMS_PER_PAGE = 50;

/** Number of payments that need attention in the current mode. */
export function useNeedsAttentionCount(isWanted = true) {
  const mode = useMode();
  return useQuery({
    queryKey: deskKey('attention', mode, 'count'),
    queryFn: ({ signal }) => readDesk<AttentionCount>('/attention/count', inMode(mode), signal),
    enabled: isWanted,
  });
}

/** Open items, oldest first, or settled ones, newest first. */
export function useAttention(show: 'open' | 'settled', kind: AttentionKindName | undefined) {
  const mode = useMode();
  return useInfiniteQuery({
    queryKey: deskKey('attention', mode, 'list', show, kind ?? null),
    queryFn: ({ signal, pageParam: cursor }) =>
      readDesk<AttentionList>('/attention', inMode(mode, { show, kind, cursor, limit: ITEMS_PER_PAGE }), signal),
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
      return changeDesk<void>('POST', path, body);
    },
    // Also after an error: another user settled it first, or the coins have changed.
    onSettled: () => refreshDesk('attention', 'payments', 'overview'),
  });
}
