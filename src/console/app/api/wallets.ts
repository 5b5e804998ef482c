import { useMutation, useQuery } from '@tanstack/react-query';
import type {
  AttachBody,
  AttachedWallets,
  PreviewBody,
  SkipBody,
  SkippedAddresses,
  WalletList,
  WalletPreview,
} from '../../merchant/wallets/schemas.ts';
import { type AsText, changeDesk, deskKey, readDesk, refreshDesk } from './desk.ts';

/** One page shows the wallets of both modes, so the query has no mode. */
export function useWallets() {
  return useQuery({
    queryKey: deskKey('wallets'),
    queryFn: ({ signal }) => readDesk<WalletList>('/wallets', {}, signal),
  });
}

/**
 * Derives the addresses of a key. Neither the server nor, after the page is left, the browser
 * stores anything.
 */
export function usePreviewWallet() {
  return useMutation({
    mutationFn: (body: AsText<PreviewBody, 'crypto'>) => changeDesk<WalletPreview>('POST', '/wallets/preview', body),
    gcTime: 0,
  });
}

export function useAttachWallet() {
  return useMutation({
    mutationFn: (body: AsText<AttachBody, 'cryptos'>) => changeDesk<AttachedWallets>('POST', '/wallets', body),
    gcTime: 0,
    onSuccess: () => refreshDesk('wallets', 'overview', 'audit'),
  });
}

export function useSkipAddresses() {
  return useMutation({
    mutationFn: ({ id, ...body }: SkipBody & { readonly id: string }) =>
      changeDesk<SkippedAddresses>('POST', `/wallets/${encodeURIComponent(id)}/skip`, body),
    onSuccess: () => refreshDesk('wallets', 'audit'),
  });
}
