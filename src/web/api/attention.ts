import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type {
  AttentionCount,
  AttentionItemInfo,
  AttentionKindName,
  AttentionList,
  SettleAttentionBody,
} from '../../http/console/merchant/attention/schemas.ts';
import { useMode } from '../routing/router.ts';
import { nextCursor, read, readPages, useChange } from './queries.ts';
import { request } from './request.ts';

const ITEMS_PER_PAGE = 50;

/** Number of payments that need attention in the current mode. */
export function useNeedsAttentionCount(isEnabled = true) {
  return useQuery({
    ...read<AttentionCount>('/merchant/attention/count', { mode: useMode() }),
    enabled: isEnabled,
  });
}

/** Open items, oldest first, or settled ones, newest first. */
export function useAttention(show: 'open' | 'settled', kind: AttentionKindName | undefined) {
  const query = { mode: useMode(), show, kind, limit: ITEMS_PER_PAGE };
  return useInfiniteQuery(readPages<AttentionList>('/merchant/attention', query, nextCursor));
}

export function useSettleAttention({ transactionId, kind, amountCrypto, revision }: AttentionItemInfo) {
  const path = `/merchant/attention/${encodeURIComponent(transactionId)}/${kind}/settle`;
  return useChange(
    (note: string) => request('POST', path, { note, amountCrypto, revision } satisfies SettleAttentionBody),
    ['/merchant/attention', '/merchant/payments', '/merchant/overview'],
  );
}
