import { useMutation, useQuery } from '@tanstack/react-query';
import type {
  AttachBody,
  AttachedWallets,
  PreviewBody,
  SkipBody,
  SkippedAddresses,
  WalletList,
  WalletPreview,
} from '../../http/console/merchant/wallets/schemas.ts';
import {
  type AsText,
  changeMerchantData,
  merchantKey,
  readMerchantData,
  refreshMerchantData,
} from './merchant-data.ts';
import { API } from './request.ts';

/** One page shows the wallets of both modes, so the query has no mode. */
export function useWallets() {
  return useQuery({
    queryKey: merchantKey('wallets'),
    queryFn: ({ signal }) => readMerchantData<WalletList>('/wallets', {}, signal),
  });
}

/** The URL of all taken addresses of a wallet as a file. */
export function addressesFileHref(walletId: string): string {
  return `${API}/merchant/wallets/${encodeURIComponent(walletId)}/addresses.csv`;
}

/**
 * Derives the addresses of a key. Neither the server nor, after the page is left, the browser
 * stores anything.
 */
export function usePreviewWallet() {
  return useMutation({
    mutationFn: (body: AsText<PreviewBody, 'crypto'>) =>
      changeMerchantData<WalletPreview>('POST', '/wallets/preview', body),
    gcTime: 0,
  });
}

export function useAttachWallet() {
  return useMutation({
    mutationFn: (body: AsText<AttachBody, 'cryptos'>) => changeMerchantData<AttachedWallets>('POST', '/wallets', body),
    gcTime: 0,
    onSuccess: () => refreshMerchantData('wallets', 'overview', 'audit'),
  });
}

export function useSkipAddresses() {
  return useMutation({
    mutationFn: ({ id, ...body }: SkipBody & { readonly id: string }) =>
      changeMerchantData<SkippedAddresses>('POST', `/wallets/${encodeURIComponent(id)}/skip`, body),
    onSuccess: () => refreshMerchantData('wallets', 'audit'),
  });
}
